import type { WireReply } from '../../harness/proxy.ts'
import { isFields, type Fields } from '../../harness/json.ts'
import { accepts, data, fieldsOf, refusal, replies, requests, setting, withFields } from './edit.ts'
import { faultsOf, type Plant, type World } from './fault.ts'
import { eventOf, servesKey, signCallback } from './sign.ts'

const VERIFY = ['verifyTransaction'] as const
const AUTHORIZE = ['authorizeCollection'] as const
const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED'])

const verified = (change: (state: Fields) => Fields): Plant =>
  replies(VERIFY, 200, (reply) => withFields(reply, data(change)))
/** The callback tells the same, its event included. */
const told = (world: World, change: (state: Fields) => Fields): Plant => ({
  api: { ...servesKey, ...verified(change).api },
  merchant: {
    onRequest: (message) =>
      message.method === 'POST'
        ? signCallback(
            withFields(message, (body) => {
              const state = body['payload']
              const changed = isFields(state) ? change(state) : {}
              return { ...body, event: eventOf(changed['transaction_status']), payload: changed }
            }),
            world,
          )
        : message,
  },
})
const FAILED: Fields = {
  transaction_status: 'FAILED',
  status_message: 'The customer declined the request',
  transaction_charge: 0,
}
const failed = (state: Fields): Fields => ({
  ...state,
  ...FAILED,
  ...('total_credit' in state ? { total_credit: 0 } : { total_debit: 0 }),
})

export const stateFaults = faultsOf('states', {
  'pending-for-ever': {
    what: 'verify never shows a final state',
    at: VERIFY,
    plant: () =>
      verified((state) => ({ ...state, transaction_status: 'PENDING', status_message: 'Transaction Pending' })),
  },
  'completed-at-once': {
    what: 'verify shows COMPLETED before anything has happened',
    at: VERIFY,
    plant: () =>
      verified((state) =>
        state['transaction_status'] === 'PENDING'
          ? { ...state, transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully' }
          : state,
      ),
  },
  'final-state-flips': {
    what: 'verify shows COMPLETED once, and then FAILED',
    at: VERIFY,
    plant: () => {
      const seen = new Set<unknown>()
      return verified((state) => {
        if (state['transaction_status'] !== 'COMPLETED') return state
        if (seen.has(state['id'])) return failed(state)
        seen.add(state['id'])
        return state
      })
    },
  },
  'told-before-final': {
    what: 'asks and tells the merchant while verify says PROCESSING at the first look',
    plant: () => {
      const seen = new Set<unknown>()
      return verified((state) => {
        if (seen.has(state['id'])) return state
        seen.add(state['id'])
        return { ...state, transaction_status: 'PROCESSING' }
      })
    },
  },
  'completed-shown-as-failed': {
    what: 'tells completed payments as failed, everywhere',
    at: VERIFY,
    plant: (world) => told(world, (state) => (state['transaction_status'] === 'COMPLETED' ? failed(state) : state)),
  },
  'failed-shown-as-completed': {
    what: 'verify shows failed payments as completed',
    at: VERIFY,
    plant: () =>
      verified((state) =>
        state['transaction_status'] === 'FAILED' ? { ...state, transaction_status: 'COMPLETED' } : state,
      ),
  },
  'cancelled-shown-as-failed': {
    what: 'tells cancelled payments as failed, everywhere',
    at: VERIFY,
    plant: (world) =>
      told(world, (state) =>
        state['transaction_status'] === 'CANCELLED' ? { ...state, transaction_status: 'FAILED' } : state,
      ),
  },
  'status-message-of-another': {
    what: 'gives every failure the same reason',
    at: VERIFY,
    plant: (world) =>
      told(world, (state) =>
        state['transaction_status'] === 'FAILED' ? { ...state, status_message: 'Failed' } : state,
      ),
  },
  'outcome-worded-differently': {
    what: 'verify words the outcome of completed payments otherwise than the callback',
    at: VERIFY,
    plant: () =>
      verified((state) => (state['transaction_status'] === 'COMPLETED' ? { ...state, status_message: 'Done' } : state)),
  },
  'another-transaction-shown': {
    what: 'verify shows the transaction that was asked for before',
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
  'payout-shown-as-collection': {
    what: 'verify shows payouts as collections',
    at: VERIFY,
    plant: () =>
      verified((state) => {
        const { total_debit, ...rest } = state
        return total_debit === undefined
          ? state
          : { ...rest, transaction_type: 'COLLECTION', total_credit: total_debit }
      }),
  },
  'verify-forgets-final': {
    what: 'answers 404 for payments that are final',
    at: VERIFY,
    plant: () =>
      replies(VERIFY, 200, (reply) => {
        const state = fieldsOf(reply)?.['data']
        return isFields(state) && FINAL.has(String(state['transaction_status']))
          ? refusal(reply, 404, `Transaction (${String(state['merchant_reference'])}) was not found`)
          : reply
      }),
  },
  'outcome-ignored': {
    what: 'completes every payment, whatever the operator says',
    at: ['initializeCollection'],
    plant: () =>
      requests(
        ['initializeCollection', 'sendFunds'],
        setting((given) =>
          Object.fromEntries(
            ['msisdn', 'account_number'].flatMap((name) => {
              const number = given[name]
              return typeof number === 'string' && /^\+?\d{9,}$/.test(number)
                ? [[name, `${number.slice(0, -3)}123`]]
                : []
            }),
          ),
        ),
      ),
  },
  'another-customer-asked': {
    what: 'asks one customer for the money of all',
    at: ['initializeCollection'],
    plant: () =>
      requests(
        ['initializeCollection'],
        setting((given) => ('msisdn' in given ? { msisdn: '256770000123' } : {})),
      ),
  },
  'cancel-ignored': {
    what: 'leaves a payment open whose customer cancels it on the payment page',
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
  'otp-not-checked': {
    what: 'takes every one-time password',
    at: AUTHORIZE,
    plant: (world) => accepts(world, AUTHORIZE, /^Invalid OTP$/, setting({ otp: 123456 })),
  },
  'otp-taken-twice': {
    what: 'takes a one-time password a second time',
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
    what: 'lets passwords be tried for ever',
    at: AUTHORIZE,
    plant: () => ({
      api: {
        onRequest: (request) =>
          request.path === '/collections/authorize' &&
          !/"otp":\s?123456[,}\s]/.test(request.body.toString()) &&
          /"otp":\s?\d{4,8}[,}\s]/.test(request.body.toString())
            ? {
                answer: refusal(
                  {
                    status: 400,
                    headers: { 'x-request-id': ['fault-drill'], 'content-type': ['application/json; charset=utf-8'] },
                    body: Buffer.alloc(0),
                  },
                  400,
                  'Invalid OTP',
                ),
              }
            : request,
      },
    }),
  },
  'otp-refused': {
    what: 'refuses the right one-time password',
    at: AUTHORIZE,
    plant: () => replies(AUTHORIZE, 202, (reply) => refusal(reply, 400, 'Invalid OTP')),
  },
  'otp-not-wanted-202': {
    what: 'takes passwords that nobody asked for',
    at: AUTHORIZE,
    plant: () =>
      replies(AUTHORIZE, 409, (reply, request) => {
        const reference = String(fieldsOf(request)?.['internal_reference'])
        return {
          ...withFields(reply, () => ({
            code: 202,
            status: 'accepted',
            message: 'Collection authorized',
            data: {
              internal_reference: reference,
              merchant_reference: 'UNKNOWN-0001',
              payment_url: `http://127.0.0.1/pay/collection/${reference}`,
            },
          })),
          status: 202,
        }
      }),
  },
})
