import { daraja as simulatedDaraja } from '../../../../openapi/operators/simulator/daraja/daraja.ts'
import { SIMULATED_MERCHANT } from '../../../../openapi/operators/simulator/daraja/simulated-merchant.ts'
import { isObject } from '../../../../openapi/reading/json.ts'
import { KENYA } from '../../../verification/simulation/market.ts'
import type { WiredKind } from '../../../verification/simulation/wire/wired-kinds.ts'
import { accountReferenceOf } from '../account-reference.ts'
import { daraja } from '../daraja.ts'
import { ACCOUNT_TAILS } from '../unrequested.ts'
import { forgedFailure, forgedStatuses, withPlaceholder } from './forgeries.ts'

const orderIdIn = (url: unknown): string => new URL(String(url)).pathname.split('/')[4] ?? ''

/** Daraja under schedules. */
export const WIRED: WiredKind = {
  kind: daraja,
  market: KENYA,
  simulated: () => simulatedDaraja(),
  referenceOf: (order) => ('type' in order && order.type === 'COLLECTION' ? accountReferenceOf(order) : order.orderId),
  // A reversal has the receipt of its collection, and our id only in its address.
  referenceIn: ({ kind, externalId, details }) => (kind === 'reversal' ? orderIdIn(details['resultUrl']) : externalId),
  referenceInCall({ body }) {
    if (!isObject(body)) return undefined
    const { AccountReference, OriginatorConversationID, CommandID, ResultURL } = body
    if (CommandID === 'TransactionReversal') return orderIdIn(ResultURL)
    const named = AccountReference ?? OriginatorConversationID
    return typeof named === 'string' ? named : undefined
  },
  orders: {
    stkPush: {
      submit: ['stkPush'],
      poll: ['queryStkPush'],
      mayQuery: true,
      refusals: ['400.002.02'],
      failures: ['1032', '1', '2001', '1037', '1019'],
      certainFailures: [],
    },
    payOut: {
      submit: ['payOut'],
      poll: ['queryTransactionStatus'],
      mayQuery: false,
      refusals: ['400.002.02'],
      // The last one is undocumented: it is no verdict.
      failures: ['1', '2001', '8', '2040', '26'],
      certainFailures: ['1', '2001', '8', '2040'],
    },
    reversal: {
      submit: ['reverse'],
      poll: ['queryTransactionStatus'],
      mayQuery: false,
      refusals: ['400.002.02'],
      // R000001 does not say whose reversal it was: it is no verdict.
      failures: ['1', '2001', 'R000002', 'R000001'],
      certainFailures: ['1', '2001', 'R000002'],
    },
  },
  lie: { CheckoutRequestID: 'ws_CO_of_somebody_else', ResultCode: '0' },
  unknownStatus: { ResultCode: '9998' },
  unclear: ['500.001.1001', '500.003.02', '500.003.03', '500.003.1001'],
  withoutPull: { pull: 'no' },
  // A prompt is found by its id or, if it was paid, in the pulled transactions; a payout by its status, if it was paid.
  // Everything else that was not reported leaves no trace, and nobody is asked about a reversal.
  isUntold: ({ type, isPaid, isReported, isNamed, hasPull }) =>
    type === 'REFUND' || (type === 'PAYOUT' ? !isPaid && !isReported : !isNamed && !(isPaid && hasPull)),
  reportsTwice: false,
  forgeries: { failure: forgedFailure, statuses: forgedStatuses },
  oddBody: withPlaceholder,
  unrequested: {
    account: SIMULATED_MERCHANT.payBill,
    details: (addressOf) => ({ confirmationUrl: addressOf(ACCOUNT_TAILS.confirmation) }),
  },
}
