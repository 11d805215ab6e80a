import { existsSync } from 'node:fs'
import type { ContractRequest } from '../../../../openapi/operators/simulator/contract/backend.ts'
import type { CallbackText, Operator } from '../../../../openapi/operators/simulator/operator.ts'
import type { NewOrder, Order } from '../../../../openapi/operators/simulator/world/order.ts'
import type { RailOrder, RefundOrder } from '../../../actions/ports/rail.ts'
import { present } from '../../../domain/present.ts'
import type { OrderType } from '../../../domain/provider.ts'
import type { RailKind } from '../../../rails/rail-kind.ts'
import { RAIL_KINDS } from '../../../rails/registry.ts'
import type { Choices } from '../choices.ts'
import type { Market } from '../market.ts'

type NonEmptyStrings = readonly [string, ...string[]]

/** A kind of rail with the operator behind it, and what a schedule may draw for that operator. */
export interface WiredKind {
  readonly kind: RailKind
  readonly market: Market
  /** @param choices draws how it is set up; absent: as usual */
  readonly simulated: (choices?: Choices) => Operator
  /** The field stored with an order in the operator's records. */
  readonly referenceOf: (order: RailOrder | RefundOrder) => string
  /** The same, of what the operator stores; absent: its external id. */
  readonly referenceIn?: (order: Pick<NewOrder, 'id' | 'kind' | 'externalId' | 'details'>) => string
  /** The same, in a call that submits an order; undefined in any other call. */
  readonly referenceInCall: (call: ContractRequest) => string | undefined
  /** The order that a message is about, where all messages go to one address. */
  readonly idInMessage?: (body: object) => string
  /** By the operator's kinds of orders: the calls that submit one and query it. */
  readonly orders: Readonly<Record<string, WiredOrders>>
  /** What a reply to a poll may contain of another order. */
  readonly lie: Readonly<Record<string, unknown>>
  /** The same of a status that nobody knows. */
  readonly unknownStatus: Readonly<Record<string, unknown>>
  /** Codes of rejections that say nothing about money. */
  readonly unclear: NonEmptyStrings
  /** Settings without which an order that the operator does not report is found only in its statement. */
  readonly withoutPull: Readonly<Record<string, string>>
  /** Whether only a statement shows the outcome of a payment that has had no result for long. */
  readonly isUntold: (payment: OpenOrderState) => boolean
  /** Whether the operator reports some results more than once. */
  readonly reportsTwice: boolean
  /** Messages that nobody wrote, about orders whose result cannot be queried. */
  readonly forgeries?: {
    failure(own: CallbackText): CallbackText
    statuses(own: CallbackText, order: Order): readonly CallbackText[]
  }
  /** Payments that nobody asked for: where they go, and the operator's details of them. Absent: it tells of none. */
  readonly unrequested?: {
    readonly account: string
    details(addressOf: (tail: string) => string): NewOrder['details']
  }
  /** The body of a failure as some of the operator's systems write it; every other one unchanged. */
  readonly oddBody?: (body: object) => object
}

/** A payment without a result. */
interface OpenOrderState {
  readonly type: OrderType
  readonly isPaid: boolean
  /** Whether the gateway has accepted a message that says for certain that it failed. */
  readonly isReported: boolean
  /** Whether we know the operator's id of it. */
  readonly isNamed: boolean
  readonly hasPull: boolean
}

export interface WiredOrders {
  /** Of more than one version of a call, all of them. */
  readonly submit: NonEmptyStrings
  /** None where its outcome cannot be queried. */
  readonly poll: readonly string[]
  /** Its outcome is in the reply to it. */
  readonly endsAtOnce?: true
  /** Whether a result can be queried: then nothing in a message is believed. */
  readonly mayQuery: boolean
  /** Documented rejections: nothing was begun. */
  readonly refusals: NonEmptyStrings
  /** Codes of failures. */
  readonly failures: NonEmptyStrings
  /** Failure codes with which a message alone ends a payment, where the status cannot be queried. */
  readonly certainFailures: readonly string[]
}

/** `testing/wired.ts` in the folder of each kind whose operator has a simulator. */
const found = await Promise.all(
  RAIL_KINDS.flatMap(({ name }) => {
    const file = new URL(`../../../rails/${name}/testing/wired.ts`, import.meta.url)
    return existsSync(file) ? [import(file.href) as Promise<{ readonly WIRED: WiredKind }>] : []
  }),
)
const [first, ...others] = found.map(({ WIRED }) => WIRED)

export const WIRED_KINDS: readonly [WiredKind, ...WiredKind[]] = [present(first, 'a kind of rail'), ...others]
