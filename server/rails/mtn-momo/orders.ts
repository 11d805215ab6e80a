import type { components } from '../../../generated/operators/mtn-momo.d.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { ExchangeAbout } from '../rail-kind.ts'
import type { ProductCalls, CallReply } from './calls.ts'
import type { PartyField } from './results.ts'
import type { Product } from './settings.ts'

type Schemas = components['schemas']

/** The fields of an order that are the same in every call. */
interface Submission {
  readonly orderId: string
  readonly callbackUrl: string | undefined
  readonly body: {
    readonly amount: string
    readonly currency: string
    readonly externalId: string
    readonly payerMessage: string
    readonly payeeNote: string
  }
  /** The customer's or recipient's number, or the collection that a refund returns. */
  readonly counterpart: string
}

/** One of MTN's calls that move money, and its status query. */
interface OrderCalls {
  readonly product: Product
  readonly type: TransactionType
  /** The callback's name in the contract. */
  readonly callback: string
  /** The party of a result that holds the account of the order. */
  readonly party: PartyField
  submit(calls: ProductCalls, submission: Submission): Promise<CallReply<unknown>>
  query(calls: ProductCalls, orderId: string): Promise<CallReply<unknown>>
}

const headerOf = ({ targetEnvironment }: ProductCalls, { orderId, callbackUrl }: Submission) => ({
  ...targetEnvironment,
  'X-Reference-Id': orderId,
  // Documented: a field that is present and empty is refused.
  ...(callbackUrl !== undefined && { 'X-Callback-Url': callbackUrl }),
})
const submitting = (orderId: string): ExchangeAbout => ({ purpose: 'submit', orderId })
const querying = (orderId: string): ExchangeAbout => ({ purpose: 'ask', orderId })
const msisdn = (partyId: string): Schemas['Party'] => ({ partyIdType: 'MSISDN', partyId })

/** MTN has two calls for a payout. They differ in their paths alone; a contract may allow only one of them. */
const payingOut = (call: 'transfer' | 'deposit'): OrderCalls => ({
  product: 'disbursement',
  type: 'PAYOUT',
  callback: `${call}Callback`,
  party: 'payee',
  submit: (calls, submission) =>
    calls.call(submitting(submission.orderId), (client, access) =>
      client.POST(`/disbursement/v1_0/${call}`, {
        params: { header: headerOf(calls, submission) },
        body: { ...submission.body, payee: msisdn(submission.counterpart) },
        ...access,
      }),
    ),
  query: (calls, referenceId) =>
    calls.call(querying(referenceId), (client, access) =>
      client.GET(`/disbursement/v1_0/${call}/{referenceId}`, {
        params: { path: { referenceId }, header: calls.targetEnvironment },
        ...access,
      }),
    ),
})

/** By the last path segment of the callback URL. */
export const ORDER_CALLS = {
  collection: {
    product: 'collection',
    type: 'COLLECTION',
    callback: 'requestToPayCallback',
    party: 'payer',
    submit: (calls, submission) =>
      calls.call(submitting(submission.orderId), (client, access) =>
        client.POST('/collection/v1_0/requesttopay', {
          params: { header: headerOf(calls, submission) },
          body: { ...submission.body, payer: msisdn(submission.counterpart) },
          ...access,
        }),
      ),
    query: (calls, referenceId) =>
      calls.call(querying(referenceId), (client, access) =>
        client.GET('/collection/v1_0/requesttopay/{referenceId}', {
          params: { path: { referenceId }, header: calls.targetEnvironment },
          ...access,
        }),
      ),
  },
  transfer: payingOut('transfer'),
  deposit: payingOut('deposit'),
  refund: {
    product: 'disbursement',
    type: 'PAYOUT',
    callback: 'refundCallback',
    party: undefined,
    submit: (calls, submission) =>
      calls.call(submitting(submission.orderId), (client, access) =>
        client.POST('/disbursement/v1_0/refund', {
          params: { header: headerOf(calls, submission) },
          body: { ...submission.body, referenceIdToRefund: submission.counterpart },
          ...access,
        }),
      ),
    query: (calls, referenceId) =>
      calls.call(querying(referenceId), (client, access) =>
        client.GET('/disbursement/v1_0/refund/{referenceId}', {
          params: { path: { referenceId }, header: calls.targetEnvironment },
          ...access,
        }),
      ),
  },
} as const satisfies Readonly<Record<string, OrderCalls>>

export type OrderKind = keyof typeof ORDER_CALLS

export const isOrderKind = (word: string): word is OrderKind => Object.hasOwn(ORDER_CALLS, word)
