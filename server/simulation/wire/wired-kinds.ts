import type { Operator } from '../../../openapi/operators/simulator/operator.ts'
import { daraja as simulatedDaraja } from '../../../openapi/operators/simulator/daraja/daraja.ts'
import { mtnMomo as simulatedMtn } from '../../../openapi/operators/simulator/mtn-momo/mtn-momo.ts'
import type { RailOrder } from '../../actions/ports/rail.ts'
import { accountReferenceOf } from '../../rails/daraja/account-reference.ts'
import { daraja } from '../../rails/daraja/daraja.ts'
import { mtnMomo } from '../../rails/mtn-momo/mtn-momo.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { RailKind } from '../../rails/rail-kind.ts'
import { KENYA, UGANDA, type Market } from '../market.ts'

export const GATEWAY_HOST = 'gateway.example'

type Some = readonly [string, ...string[]]

/** A kind of rail with the operator that answers it, and what a schedule may draw of that operator. */
export interface WiredKind {
  readonly kind: RailKind
  readonly market: Market
  readonly simulated: () => Operator
  /** What stands beside an order in the operator's book. */
  readonly referenceOf: (order: RailOrder) => string
  /** By the operator's kinds of orders: the calls that begin one and ask about it. */
  readonly orders: Readonly<Record<string, WiredOrders>>
  /** Calls whose answer may be about another order, or say what nobody knows. */
  readonly lie: Readonly<Record<string, unknown>>
  /** Codes of refusals that say nothing about money. */
  readonly unclear: Some
  /** Settings without which an order that the operator tells nothing of is found by its statement only. */
  readonly withoutPull: Readonly<Record<string, string>>
  /** Whether nothing but a statement tells what came of a payment that has no result for long. */
  readonly isUntold: (payment: Unended) => boolean
  /** Whether the operator tells some results more than once. */
  readonly tellsTwice: boolean
}

/** A payment without a result. */
export interface Unended {
  readonly type: TransactionType
  readonly isPaid: boolean
  /** Whether the gateway has taken a message that says for certain that it failed. */
  readonly isTold: boolean
  /** Whether we know what the operator calls it. */
  readonly isNamed: boolean
  readonly hasPull: boolean
}

export interface WiredOrders {
  readonly submit: string
  readonly ask: string
  /** Whether a result can be asked for: then nothing in a message is believed. */
  readonly mayAsk: boolean
  /** Documented refusals: nothing was begun. */
  readonly refusals: Some
  /** Codes of failures. */
  readonly failures: Some
  /** Those of them that a message ends a payment with, where nothing can be asked. */
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
      ask: 'getRequestToPayStatus',
      mayAsk: true,
      refusals: ['PAYER_NOT_FOUND', 'NOT_ALLOWED'],
      failures: ['APPROVAL_REJECTED', 'EXPIRED', 'NOT_ENOUGH_FUNDS', 'INTERNAL_PROCESSING_ERROR'],
      certainFailures: [],
    },
    transfer: {
      submit: 'transfer',
      ask: 'getTransferStatus',
      mayAsk: true,
      refusals: ['PAYEE_NOT_FOUND', 'NOT_ALLOWED'],
      failures: ['PAYEE_NOT_FOUND', 'NOT_ENOUGH_FUNDS', 'INTERNAL_PROCESSING_ERROR'],
      certainFailures: [],
    },
  },
  lie: { amount: '1', status: 'SUCCESSFUL' },
  unclear: ['INTERNAL_PROCESSING_ERROR', 'SERVICE_UNAVAILABLE'],
  withoutPull: {},
  // Whoever asks hears it, sooner or later.
  isUntold: () => false,
  tellsTwice: true,
}

const DARAJA: WiredKind = {
  kind: daraja,
  market: KENYA,
  simulated: simulatedDaraja,
  referenceOf: (order) => (order.type === 'COLLECTION' ? accountReferenceOf(order) : order.orderId),
  orders: {
    stkPush: {
      submit: 'stkPush',
      ask: 'queryStkPush',
      mayAsk: true,
      refusals: ['400.002.02'],
      failures: ['1032', '1', '2001', '1037', '1019'],
      certainFailures: [],
    },
    payOut: {
      submit: 'payOut',
      ask: 'queryTransactionStatus',
      mayAsk: false,
      refusals: ['400.002.02'],
      // The last one nobody has documented: it is no verdict.
      failures: ['1', '2001', '8', '2040', '26'],
      certainFailures: ['1', '2001', '8', '2040'],
    },
  },
  lie: { CheckoutRequestID: 'ws_CO_of_somebody_else', ResultCode: '0' },
  unclear: ['500.001.1001', '500.003.02', '500.003.03', '500.003.1001'],
  withoutPull: { pull: 'no' },
  // A prompt is found by its name, or, where it was paid, in the pulled transactions; a payout by its status, where it was
  // paid. Of everything else that nobody was told of there is no trace.
  isUntold: ({ type, isPaid, isTold, isNamed, hasPull }) =>
    type === 'PAYOUT' ? !isPaid && !isTold : !isNamed && !(isPaid && hasPull),
  tellsTwice: false,
}

export const WIRED_KINDS: readonly [WiredKind, ...WiredKind[]] = [MTN, DARAJA]
