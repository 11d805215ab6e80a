import type { ProxyOptions, WireReply, WireRequest } from '../../harness/proxy.ts'

// Faults of money and states that a server could have, planted between the model and the right server.

export interface PlantedFault {
  readonly fault: string
  /** The rule that must be found broken. */
  readonly breaks: string
  /** One that comes upon it soon; others do later. */
  readonly seed?: number
  /** It cannot be hidden from callbacks: the model must find it without them. */
  readonly withoutCallbacks?: true
  /** A fresh one for each test: they remember what went by. */
  readonly plant: () => Pick<ProxyOptions, 'onRequest' | 'onReply'>
}

type Fields = Record<string, unknown>
interface Envelope {
  code: number
  status: string
  message: string
  data: Fields
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const parsed = (bytes: Buffer): Fields => {
  const value: unknown = JSON.parse(bytes.toString('utf8'))
  return isRecord(value) ? value : {}
}
const envelopeIn = ({ body }: WireReply): Envelope => {
  const { code, status, message, data } = parsed(body)
  return { code: Number(code), status: String(status), message: String(message), data: isRecord(data) ? data : {} }
}
function withBody<Message extends WireRequest | WireReply>(message: Message, value: object): Message {
  const body = Buffer.from(JSON.stringify(value))
  return { ...message, headers: { ...message.headers, 'content-length': [String(body.length)] }, body }
}

const starts = ({ path, method }: WireRequest): boolean =>
  method === 'POST' && (path === '/collections/initialize' || path === '/payout/send-funds')
const verifies = ({ path }: WireRequest): boolean => path.startsWith('/data/transaction/verify/')

/** Changes what a 200 of verify says. */
const onVerify =
  (change: (record: Fields, request: WireRequest) => Fields): ((reply: WireReply, request: WireRequest) => WireReply) =>
  (reply, request) =>
    verifies(request) && reply.status === 200
      ? withBody(reply, { ...envelopeIn(reply), data: change(envelopeIn(reply).data, request) })
      : reply

const acceptedAs = (reply: WireReply, data: Fields): WireReply => ({
  ...withBody(reply, { code: 202, status: 'accepted', message: 'accepted', data }),
  status: 202,
})

export const PLANTED: readonly PlantedFault[] = [
  {
    fault: 'a reference is accepted twice',
    breaks: 'a reference is accepted once',
    plant: () => {
      const keyOf = new Map<string, string>()
      const asked = new Map<string, string>()
      return {
        onRequest: (request) => {
          if (!starts(request)) return request
          const body = parsed(request.body)
          const [reference, key] = [String(body.merchant_reference), String(request.headers['idempotency-key'])]
          if (!keyOf.has(reference)) keyOf.set(reference, key)
          if (keyOf.get(reference) === key) return request
          const other = `${reference}-${asked.size}`
          asked.set(other, reference)
          return withBody(request, { ...body, merchant_reference: other })
        },
        onReply: (reply, request) => {
          if (!starts(request) || reply.status !== 202) return reply
          const { data, ...envelope } = envelopeIn(reply)
          const reference = asked.get(String(data.merchant_reference)) ?? data.merchant_reference
          return withBody(reply, { ...envelope, data: { ...data, merchant_reference: reference } })
        },
      }
    },
  },
  {
    fault: 'a wallet is off by one minor unit after a while',
    breaks: 'a wallet moves by exactly total_credit and total_debit',
    plant: () => {
      let looks = 0
      return {
        onReply: (reply, request) => {
          if (!request.path.startsWith('/data/wallet-balances') || reply.status !== 200 || ++looks < 6) return reply
          const envelope = envelopeIn(reply)
          const wallets = Array.isArray(envelope.data.merchant_wallets)
            ? envelope.data.merchant_wallets.filter(isRecord)
            : []
          const changed = wallets.map((wallet) =>
            wallet.currency === 'UGX'
              ? {
                  ...wallet,
                  available_balance: Number(wallet.available_balance) + 1,
                  actual_balance: Number(wallet.actual_balance) + 1,
                }
              : wallet,
          )
          return withBody(reply, { ...envelope, data: { merchant_wallets: changed } })
        },
      }
    },
  },
  {
    fault: 'a completed payment is FAILED when it is looked at again',
    breaks: 'a final state stays',
    plant: () => {
      const looks = new Map<string, number>()
      return {
        onReply: onVerify((record, { path }) => {
          if (record.transaction_status !== 'COMPLETED') return record
          looks.set(path, (looks.get(path) ?? 0) + 1)
          return looks.get(path) === 1 ? record : { ...record, transaction_status: 'FAILED' }
        }),
      }
    },
  },
  {
    fault: 'verify words the outcome differently from the callback',
    breaks: 'a callback tells what verify tells',
    plant: () => ({
      onReply: onVerify((record) =>
        record.transaction_status === 'COMPLETED' ? { ...record, status_message: 'Done' } : record,
      ),
    }),
  },
  {
    fault: 'a one-time password is accepted a second time',
    breaks: 'a one-time password counts once, and has five tries',
    plant: () => {
      const first = new Map<unknown, Fields>()
      return {
        onReply: (reply, request) => {
          if (request.path !== '/collections/authorize') return reply
          const { internal_reference: reference } = parsed(request.body)
          if (reply.status === 202) first.set(reference, envelopeIn(reply).data)
          const data = first.get(reference)
          return reply.status === 409 && data ? acceptedAs(reply, data) : reply
        },
      }
    },
  },
  {
    fault: 'the daily limit of an account is not counted',
    breaks: 'the daily limit of an account holds',
    withoutCallbacks: true,
    seed: 3,
    plant: () => {
      // Every payment goes to an account of its own, and verify tells the one that was asked for.
      const accounts = new Map<string, unknown>()
      const sent = new Map<string, string>()
      let next = 5_000
      const elsewhere = (account: unknown): string =>
        `${String(account).slice(0, -7)}${String(next++ % 10_000).padStart(4, '0')}${String(account).slice(-3)}`
      return {
        onRequest: (request) => {
          if (!starts(request)) return request
          const body = parsed(request.body)
          const name = 'msisdn' in body ? 'msisdn' : 'account_number'
          const key = String(request.headers['idempotency-key'])
          if (!accounts.has(String(body.merchant_reference))) accounts.set(String(body.merchant_reference), body[name])
          if (body[name] === undefined) return request
          if (!sent.has(key)) sent.set(key, elsewhere(body[name]))
          return withBody(request, { ...body, [name]: sent.get(key) })
        },
        onReply: onVerify((record) => ({
          ...record,
          transaction_account: accounts.get(String(record.merchant_reference)) ?? record.transaction_account,
        })),
      }
    },
  },
  {
    fault: 'an Idempotency-Key is accepted with another body',
    breaks: 'an Idempotency-Key is for one request',
    seed: 100,
    plant: () => {
      const first = new Map<string, Fields>()
      return {
        onReply: (reply, request) => {
          const key = `${request.path} ${String(request.headers['idempotency-key'])}` // of one operation
          if (!starts(request)) return reply
          if (reply.status === 202) first.set(key, envelopeIn(reply).data)
          const data = first.get(key)
          return reply.status === 409 && data && envelopeIn(reply).message.includes('different request')
            ? acceptedAs(reply, data)
            : reply
        },
      }
    },
  },
  {
    fault: 'any secret key is good',
    breaks: 'a wrong key is answered 401',
    seed: 13,
    plant: () => ({
      onRequest: (request) =>
        request.headers['secret-key']
          ? { ...request, headers: { ...request.headers, 'secret-key': ['sec_sandbox_demo'] } }
          : request,
    }),
  },
  {
    fault: 'a customer who cancels pays all the same',
    breaks: 'what ended stays ended',
    seed: 1,
    plant: () => ({
      onRequest: (request) =>
        request.path.endsWith('/cancel')
          ? {
              answer: {
                status: 303,
                headers: { location: [request.path.replace('/cancel', '')] },
                body: Buffer.alloc(0),
              },
            }
          : request,
    }),
  },
  {
    // The customer pays it: neither a total nor a wallet tells.
    fault: 'a charge is one minor unit too high for larger amounts',
    breaks: 'charges follow one rule: a percentage, rounded half up, plus a flat amount',
    withoutCallbacks: true,
    plant: () => ({
      onReply: onVerify((record) =>
        record.charge_customer === true && Number(record.transaction_charge) > 10
          ? { ...record, transaction_charge: Number(record.transaction_charge) + 1 }
          : record,
      ),
    }),
  },
  {
    fault: 'the redirect tells another state',
    breaks: 'a redirect tells what verify tells',
    plant: () => ({
      onReply: (reply) => ({
        ...reply,
        headers: {
          ...reply.headers,
          ...(reply.headers.location && {
            location: reply.headers.location.map((address) =>
              address.replace('transaction_status=FAILED', 'transaction_status=COMPLETED'),
            ),
          }),
        },
      }),
    }),
  },
  {
    fault: 'a failed payment still shows its charge',
    breaks: 'what moved nothing costs nothing',
    plant: () => ({
      onReply: onVerify((record) =>
        record.transaction_status === 'FAILED' ? { ...record, transaction_charge: 1 } : record,
      ),
    }),
  },
]
