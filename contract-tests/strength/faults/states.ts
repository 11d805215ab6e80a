import type { WireReply } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import { AUTHORIZE, fieldsOf, INITIALIZE, PAYMENTS, setting, VERIFY, WALLETS, data, withFields } from './edit.ts'
import { type FaultRows, edited } from './fault.ts'
import { carriedOut, acceptedAnyway, reported, inReplies, remembering, verified, atTimes } from './rows.ts'

const statusIs = (state: Fields, status: string): boolean => state['transaction_status'] === status

const COMPLETED = { transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully' }
const failed = (state: Fields): Fields => ({
  ...state,
  transaction_status: 'FAILED',
  status_message: 'The customer declined the request',
  failure_code: 'declined',
  transaction_charge: 0,
  ...('total_credit' in state ? { total_credit: 0 } : { total_debit: 0 }),
})
const successful = (account: unknown): unknown =>
  typeof account === 'string' && /^\+?\d{9,}$/.test(account) ? `${account.slice(0, -3)}123` : account

export const stateRows: FaultRows = {
  'pending-for-ever': verified('verify never shows a final state', (state) => ({
    ...state,
    transaction_status: 'PENDING',
    status_message: 'Transaction Pending',
  })),
  'completed-at-once': verified('verify shows COMPLETED before anything has happened', (state) =>
    statusIs(state, 'PENDING') ? { ...state, ...COMPLETED } : state,
  ),
  'reported-before-final': remembering(() => {
    const seen = new Set<unknown>()
    return verified('sends handshake and callback while the first verify returns PROCESSING', (state) => {
      if (seen.has(state['id'])) return state
      seen.add(state['id'])
      return { ...state, transaction_status: 'PROCESSING' }
    })
  }),
  'completed-shown-as-failed': reported('reports completed payments as failed, everywhere', (state) =>
    statusIs(state, 'COMPLETED') ? failed(state) : state,
  ),
  'failure-code-of-completed': reported('gives completed payments a failure code', (state) =>
    statusIs(state, 'COMPLETED') ? { ...state, failure_code: 'operator_error' } : state,
  ),
  'outcome-worded-differently': verified(
    'verify words the outcome of completed payments otherwise than the callback',
    (state) => (statusIs(state, 'COMPLETED') ? { ...state, status_message: 'Done' } : state),
  ),
  'outcome-ignored': carriedOut(
    'completes every payment, whatever the operator reports',
    INITIALIZE,
    (given) => ({
      ...('msisdn' in given && { msisdn: successful(given['msisdn']) }),
      ...('account_number' in given && { account_number: successful(given['account_number']) }),
    }),
    PAYMENTS,
  ),
  'another-customer-asked': carriedOut('collects all payments from one customer', INITIALIZE, (given) =>
    'msisdn' in given ? { msisdn: '256770000123' } : {},
  ),
  'cancel-ignored': {
    does: 'keeps a payment open whose customer cancels it on the payment page',
    plant: () => ({
      api: {
        onRequest: (request) => {
          const headers = { location: [request.path.replace('/cancel', '')] }
          return request.path.endsWith('/cancel')
            ? { answer: { status: 303, headers, body: Buffer.alloc(0) } }
            : request
        },
      },
    }),
  },
  'otp-not-checked': acceptedAnyway(
    'accepts every one-time password',
    AUTHORIZE,
    /^Invalid OTP$/,
    setting({ otp: 123456 }),
  ),
  'otp-taken-twice': remembering(() => {
    const first = new Map<unknown, WireReply>()
    return inReplies('accepts a one-time password a second time', AUTHORIZE, 'any', (reply, request) => {
      const reference = fieldsOf(request)?.['internal_reference']
      if (reply.status === 202) first.set(reference, reply)
      return reply.status === 409 ? (first.get(reference) ?? reply) : reply
    })
  }),

  // Two messages about one thing that say two things: none of them is wrong alone.
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
  'transaction-in-another-currency': reported('reports what airtel_ug moves in another currency', (state) =>
    state['provider_code'] === 'airtel_ug' ? { ...state, request_currency: 'KES', transaction_currency: 'KES' } : state,
  ),
  'wallet-list-empty-at-times': atTimes('returns no wallets in one of 25 replies', WALLETS, [200, 25], (reply) =>
    withFields(
      reply,
      data((inner) => ({ ...inner, merchant_wallets: [] })),
    ),
  ),
  'verify-wrong-at-times': atTimes(
    'returns a charge that is one unit too high in one of 50 verify replies',
    VERIFY,
    [200, 50],
    (reply) =>
      withFields(
        reply,
        data((state) => ({ ...state, transaction_charge: Number(state['transaction_charge']) + 1 })),
      ),
  ),
}
