import type { WireReply } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import { AUTHORIZE, data, fieldsOf, INITIALIZE, PAYMENTS, replies, setting, VERIFY, withFields } from './edit.ts'
import { faultsOf } from './fault.ts'
import { carriedOut, inData, acceptedAnyway, reported } from './rows.ts'

const statusIs = (state: Fields, status: string): boolean => state['transaction_status'] === status

/** Changes verify replies. */
const verified = (does: string, change: (state: Fields) => Fields) => inData(does, VERIFY, 200, change)
/** The same, with memory of one run. */
const remembering = (does: string, makeChange: () => (state: Fields) => Fields) => ({
  does,
  plant: () => replies(VERIFY, 200, withFieldsOf(makeChange())),
})
const withFieldsOf =
  (change: (state: Fields) => Fields) =>
  (reply: WireReply): WireReply =>
    withFields(reply, data(change))
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

export const stateFaults = faultsOf('states', {
  'pending-for-ever': verified('verify never shows a final state', (state) => ({
    ...state,
    transaction_status: 'PENDING',
    status_message: 'Transaction Pending',
  })),
  'completed-at-once': verified('verify shows COMPLETED before anything has happened', (state) =>
    statusIs(state, 'PENDING') ? { ...state, ...COMPLETED } : state,
  ),
  'final-state-flips': {
    ...remembering('verify shows COMPLETED once, and then FAILED', () => {
      const seen = new Set<unknown>()
      return (state) => {
        if (!statusIs(state, 'COMPLETED')) return state
        if (seen.has(state['id'])) return failed(state)
        seen.add(state['id'])
        return state
      }
    }),
  },
  'reported-before-final': remembering('sends handshake and callback while the first verify returns PROCESSING', () => {
    const seen = new Set<unknown>()
    return (state) => {
      if (seen.has(state['id'])) return state
      seen.add(state['id'])
      return { ...state, transaction_status: 'PROCESSING' }
    }
  }),
  'completed-shown-as-failed': reported('reports completed payments as failed, everywhere', (state) =>
    statusIs(state, 'COMPLETED') ? failed(state) : state,
  ),
  'failure-code-of-completed': reported('gives completed payments a failure code', (state) =>
    statusIs(state, 'COMPLETED') ? { ...state, failure_code: 'operator_error' } : state,
  ),
  'failure-code-of-another': reported('gives every failure the same failure code', (state) =>
    'failure_code' in state ? { ...state, failure_code: 'operator_error' } : state,
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
  'otp-taken-twice': {
    does: 'accepts a one-time password a second time',
    plant: () => {
      const first = new Map<unknown, WireReply>()
      return replies(AUTHORIZE, 'any', (reply, request) => {
        const reference = fieldsOf(request)?.['internal_reference']
        if (reply.status === 202) first.set(reference, reply)
        return reply.status === 409 ? (first.get(reference) ?? reply) : reply
      })
    },
  },
})
