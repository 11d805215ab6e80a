import type { Fields } from '../../harness/json.ts'
import { data, each, PROVIDERS, replies, VERIFY, WALLETS, withFields } from './edit.ts'
import { edited, faultsOf, type OperationId, type TrafficRow } from './fault.ts'
import { reported } from './rows.ts'

/** Changes one reply in so many. */
const atTimes = (
  does: string,
  at: readonly OperationId[],
  every: number,
  change: (fields: Fields) => unknown,
): TrafficRow => ({
  does,
  plant: () => {
    let count = 0
    return replies(at, 200, (reply) => ((count += 1) % every === 0 ? withFields(reply, change) : reply))
  },
})

const inKes = (state: Fields): Fields =>
  state['provider_code'] === 'airtel_ug' ? { ...state, request_currency: 'KES', transaction_currency: 'KES' } : state

/** Two messages about one thing that say two things: none of them is wrong alone. */
export const contradictionFaults = faultsOf('states', {
  'late-success-where-a-name-was-sent': edited(
    'lets a late success change a payment that forbids it, when the request has a customer_name',
    [
      'http/handlers/initialize-collection.ts',
      'body.allow_final_status_change ?? true',
      'body.customer_name !== undefined || (body.allow_final_status_change ?? true)',
    ],
  ),
  'charge-stays-on-cancelled': edited('keeps charge and total of what was cancelled', [
    'domain/transaction.ts',
    "({ status }: Transaction): boolean => status === 'FAILED' || status === 'CANCELLED'",
    "({ status }: Transaction): boolean => status === 'FAILED'",
  ]),
  'page-without-charge': edited('shows the amount without the charge that the customer pays', [
    'actions/view-payment.ts',
    'toPay: transaction.chargeCustomer\n',
    'toPay: transaction.chargeCustomer && transaction.chargeMinor < 0n\n',
  ]),
  'page-says-paid-of-failed': edited('has the heading of a paid collection on the page of a failed one', [
    'payment-page/final-step.ts',
    "ended('bad', 'failedHeading'",
    "ended('bad', 'completedHeading'",
  ]),
  'page-with-a-try-too-many': edited('tells the customer of six tries for a one-time password', [
    'actions/view-payment.ts',
    'triesLeft: session.otpTriesLeft,',
    'triesLeft: session.otpTriesLeft + 1,',
  ]),
  'transaction-in-another-currency': reported('reports what airtel_ug moves in another currency', inKes),
  'wallet-list-empty-at-times': atTimes(
    'returns no wallets in one of 25 replies',
    WALLETS,
    25,
    data((inner) => ({ ...inner, merchant_wallets: [] })),
  ),
  'provider-limit-wrong-at-times': atTimes(
    'returns another limit of its providers in one of 50 replies',
    PROVIDERS,
    50,
    each('payment_providers', (provider) => ({ ...provider, max_daily_amount: 1 })),
  ),
  'verify-wrong-at-times': atTimes(
    'returns a charge that is one unit too high in one of 50 verify replies',
    VERIFY,
    50,
    data((state) => ({ ...state, transaction_charge: Number(state['transaction_charge']) + 1 })),
  ),
})
