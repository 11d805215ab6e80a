import type { WireReply } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import {
  AUTHORIZE,
  data,
  fieldsOf,
  INITIALIZE,
  PAYMENTS,
  refusal,
  replies,
  setting,
  VERIFY,
  withFields,
} from './edit.ts'
import { faultsOf } from './fault.ts'
import { carriedOut, inData, inReplies, stateIn, acceptedAnyway, reported } from './rows.ts'

const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED'])
const statusIs = (state: Fields, status: string): boolean => state['transaction_status'] === status

/** Changes verify replies. */
const verified = (what: string, change: (state: Fields) => Fields) => inData(what, VERIFY, 200, change)
/** The same, with memory of one run. */
const remembering = (what: string, makeChange: () => (state: Fields) => Fields) => ({
  what,
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
const EMPTY_REFUSAL: WireReply = {
  status: 400,
  headers: { 'x-request-id': ['fault-drill'], 'content-type': ['application/json; charset=utf-8'] },
  body: Buffer.alloc(0),
}

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
    at: VERIFY,
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
  'failed-shown-as-completed': verified('verify shows failed payments as completed', (state) =>
    statusIs(state, 'FAILED') ? { ...state, transaction_status: 'COMPLETED' } : state,
  ),
  'cancelled-shown-as-failed': reported('reports cancelled payments as failed, everywhere', (state) =>
    statusIs(state, 'CANCELLED') ? { ...state, transaction_status: 'FAILED' } : state,
  ),
  'status-message-of-another': reported('gives every failure the same reason', (state) =>
    statusIs(state, 'FAILED') ? { ...state, status_message: 'Failed' } : state,
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
  'another-transaction-shown': {
    what: 'verify returns the transaction of the request before',
    at: VERIFY,
    plant: () => {
      let before: WireReply | undefined
      return replies(VERIFY, 200, (reply) => {
        const shown = before ?? reply
        before = reply
        return shown
      })
    },
  },
  'payout-shown-as-collection': verified('verify shows payouts as collections', (state) => {
    const { total_debit, ...rest } = state
    return total_debit === undefined ? state : { ...rest, transaction_type: 'COLLECTION', total_credit: total_debit }
  }),
  'verify-forgets-final': inReplies('answers 404 for payments that are final', VERIFY, 200, (reply) => {
    const { transaction_status: status, merchant_reference: reference } = stateIn(reply)
    return FINAL.has(String(status)) ? refusal(reply, 404, `Transaction (${String(reference)}) was not found`) : reply
  }),
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
    what: 'keeps a payment open whose customer cancels it on the payment page',
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
    what: 'accepts a one-time password a second time',
    at: AUTHORIZE,
    plant: () => {
      const first = new Map<unknown, WireReply>()
      return replies(AUTHORIZE, 'any', (reply, request) => {
        const reference = fieldsOf(request)?.['internal_reference']
        if (reply.status === 202) first.set(reference, reply)
        return reply.status === 409 ? (first.get(reference) ?? reply) : reply
      })
    },
  },
  'otp-tries-not-counted': {
    what: 'allows any number of attempts at the OTP',
    at: AUTHORIZE,
    plant: () => ({
      api: {
        onRequest: (request) =>
          request.path === '/collections/authorize' &&
          !/"otp":\s?123456[,}\s]/.test(request.body.toString()) &&
          /"otp":\s?\d{4,8}[,}\s]/.test(request.body.toString())
            ? { answer: refusal(EMPTY_REFUSAL, 400, 'Invalid OTP') }
            : request,
      },
    }),
  },
  'otp-refused': inReplies('refuses the right one-time password', AUTHORIZE, 202, (reply) =>
    refusal(reply, 400, 'Invalid OTP'),
  ),
  'otp-not-wanted-202': inReplies('accepts an OTP when none is required', AUTHORIZE, 409, (reply, request) => {
    const internal_reference = String(fieldsOf(request)?.['internal_reference'])
    const payment_url = `http://127.0.0.1/pay/collection/${internal_reference}`
    const accepted = { internal_reference, merchant_reference: 'UNKNOWN-0001', payment_url }
    const envelope = { code: 202, status: 'accepted', message: 'Collection authorized', data: accepted }
    return { ...withFields(reply, () => envelope), status: 202 }
  }),
})
