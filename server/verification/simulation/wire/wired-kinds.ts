import type { Operator } from '../../../../openapi/operators/simulator/operator.ts'
import { daraja as simulatedDaraja } from '../../../../openapi/operators/simulator/daraja/daraja.ts'
import { mtnMomo as simulatedMtn } from '../../../../openapi/operators/simulator/mtn-momo/mtn-momo.ts'
import type { RailOrder } from '../../../actions/ports/rail.ts'
import { accountReferenceOf } from '../../../rails/daraja/account-reference.ts'
import { daraja } from '../../../rails/daraja/daraja.ts'
import { mtnMomo } from '../../../rails/mtn-momo/mtn-momo.ts'
import type { TransactionType } from '../../../domain/provider.ts'
import type { RailKind } from '../../../rails/rail-kind.ts'
import { KENYA, UGANDA, type Market } from '../market.ts'

export const GATEWAY_HOST = 'gateway.example'

type NonEmptyStrings = readonly [string, ...string[]]

/** A kind of rail with the operator behind it, and what a schedule may draw for that operator. */
export interface WiredKind {
  readonly kind: RailKind
  readonly market: Market
  readonly simulated: () => Operator
  /** The field stored with an order in the operator's records. */
  readonly referenceOf: (order: RailOrder) => string
  /** By the operator's kinds of orders: the calls that submit one and query it. */
  readonly orders: Readonly<Record<string, WiredOrders>>
  /** Calls whose reply may be about another order, or contain a status that nobody knows. */
  readonly lie: Readonly<Record<string, unknown>>
  /** Codes of rejections that say nothing about money. */
  readonly unclear: NonEmptyStrings
  /** Settings without which an order that the operator does not report is found only in its statement. */
  readonly withoutPull: Readonly<Record<string, string>>
  /** Whether only a statement shows the outcome of a payment that has had no result for long. */
  readonly isUntold: (payment: OpenOrderState) => boolean
  /** Whether the operator reports some results more than once. */
  readonly reportsTwice: boolean
}

/** A payment without a result. */
interface OpenOrderState {
  readonly type: TransactionType
  readonly isPaid: boolean
  /** Whether the gateway has accepted a message that says for certain that it failed. */
  readonly isReported: boolean
  /** Whether we know the operator's id of it. */
  readonly isNamed: boolean
  readonly hasPull: boolean
}

export interface WiredOrders {
  readonly submit: string
  readonly poll: string
  /** Whether a result can be queried: then nothing in a message is believed. */
  readonly mayQuery: boolean
  /** Documented rejections: nothing was begun. */
  readonly refusals: NonEmptyStrings
  /** Codes of failures. */
  readonly failures: NonEmptyStrings
  /** Failure codes with which a message alone ends a payment, where the status cannot be queried. */
  readonly certainFailures: readonly string[]
}

const MTN: WiredKind = {
  kind: mtnMomo,
  market: UGANDA,
  simulated: () => simulatedMtn({ currency: UGANDA.currency, environment: 'mtnuganda', callbackHost: GATEWAY_HOST }),
  referenceOf: ({ orderId }) => orderId,
  orders: {
    collection: {
      submit: 'requestToPay',
      poll: 'getRequestToPayStatus',
      mayQuery: true,
      refusals: ['PAYER_NOT_FOUND', 'NOT_ALLOWED'],
      failures: ['APPROVAL_REJECTED', 'EXPIRED', 'NOT_ENOUGH_FUNDS', 'INTERNAL_PROCESSING_ERROR'],
      certainFailures: [],
    },
    transfer: {
      submit: 'transfer',
      poll: 'getTransferStatus',
      mayQuery: true,
      refusals: ['PAYEE_NOT_FOUND', 'NOT_ALLOWED'],
      failures: ['PAYEE_NOT_FOUND', 'NOT_ENOUGH_FUNDS', 'INTERNAL_PROCESSING_ERROR'],
      certainFailures: [],
    },
  },
  lie: { amount: '1', status: 'SUCCESSFUL' },
  unclear: ['INTERNAL_PROCESSING_ERROR', 'SERVICE_UNAVAILABLE'],
  withoutPull: {},
  // A poll gets the result, sooner or later.
  isUntold: () => false,
  reportsTwice: true,
}

const DARAJA: WiredKind = {
  kind: daraja,
  market: KENYA,
  simulated: simulatedDaraja,
  referenceOf: (order) => (order.type === 'COLLECTION' ? accountReferenceOf(order) : order.orderId),
  orders: {
    stkPush: {
      submit: 'stkPush',
      poll: 'queryStkPush',
      mayQuery: true,
      refusals: ['400.002.02'],
      failures: ['1032', '1', '2001', '1037', '1019'],
      certainFailures: [],
    },
    payOut: {
      submit: 'payOut',
      poll: 'queryTransactionStatus',
      mayQuery: false,
      refusals: ['400.002.02'],
      // The last one is undocumented: it is no verdict.
      failures: ['1', '2001', '8', '2040', '26'],
      certainFailures: ['1', '2001', '8', '2040'],
    },
  },
  lie: { CheckoutRequestID: 'ws_CO_of_somebody_else', ResultCode: '0' },
  unclear: ['500.001.1001', '500.003.02', '500.003.03', '500.003.1001'],
  withoutPull: { pull: 'no' },
  // A prompt is found by its id or, if it was paid, in the pulled transactions; a payout by its status, if it was paid.
  // Everything else that was not reported leaves no trace.
  isUntold: ({ type, isPaid, isReported, isNamed, hasPull }) =>
    type === 'PAYOUT' ? !isPaid && !isReported : !isNamed && !(isPaid && hasPull),
  reportsTwice: false,
}

export const WIRED_KINDS: readonly [WiredKind, ...WiredKind[]] = [MTN, DARAJA]
