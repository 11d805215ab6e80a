import type { OwnGateway } from '../../../harness/part.ts'
import type { ProxyOptions, WireReply, WireRequest } from '../../../harness/proxy.ts'
import {
  accepts,
  data,
  fieldsOf,
  header,
  type isOne,
  messageOf,
  refusal,
  replies,
  setting,
  withBody,
  withFields,
  withHeader,
} from '../../../strength/faults/edit.ts'
import { passOn } from '../../../harness/proxy.ts'
import { OK } from '../../../strength/faults/rows.ts'
import type { Section } from '../limits.ts'

type Hook = Pick<ProxyOptions, 'onRequest' | 'onReply'>
/** Hooks between merchants and the gateway, and between the gateway and the merchant's server. */
export interface Hooks {
  readonly api?: Hook
  readonly merchant?: Hook
}
interface PlantContext {
  readonly url: string
  readonly own: OwnGateway
}
export type PlantHooks = (gateway: PlantContext) => Hooks

const HOUR_MS = 3_600_000
const PAYMENTS = ['initializeCollection', 'sendFunds'] as const
const AUTHORIZE = ['authorizeCollection'] as const
const COLLECT = ['initializeCollection'] as const

const amountOf = (request: WireRequest): number => Number(fieldsOf(request)?.['amount'])
const accountOf = (request: WireRequest): string => {
  const { msisdn, account_number } = fieldsOf(request) ?? {}
  return `${request.path} ${String(msisdn ?? account_number)}`
}
const sender = (gateway: PlantContext) => ({ send: (request: WireRequest) => passOn(new URL(gateway.url), request) })
const accepted = (reply: WireReply): WireReply => ({
  ...withBody(reply, '{"code":202,"status":"accepted","message":"Collection accepted","data":{}}'),
  status: 202,
})
/** Reports a refusal with this text as an acceptance. */
const pretends =
  (at: Parameters<typeof isOne>[0], text: RegExp): PlantHooks =>
  () => ({
    ...replies(at, 'any', (reply) => (reply.status >= 400 && text.test(messageOf(reply)) ? accepted(reply) : reply)),
  })

/** Sums accepted amounts for ever, and refuses what exceeds the limit. */
const neverReleases: PlantHooks = () => {
  const used = new Map<string, number>()
  return replies(COLLECT, 202, (reply, request) => {
    if (fieldsOf(request)?.['mobile_money_hpp'] === true || header(reply, 'idempotency-replayed')) return reply
    const sum = (used.get(accountOf(request)) ?? 0) + amountOf(request)
    used.set(accountOf(request), sum)
    const text = 'amount exceeds the daily limit of 7000000 UGX for this account number'
    return sum > 7_000_000 ? refusal(reply, 400, text) : reply
  })
}

/** Ignores an idempotency key after so many hours. */
const forgetsKeys =
  (hours: number): PlantHooks =>
  ({ own }) => {
    const since = new Map<string, number>()
    return {
      api: {
        onRequest: (request) => {
          const key = header(request, 'idempotency-key')
          if (key === undefined) return request
          const first = since.get(key) ?? own.now().getTime()
          since.set(key, first)
          return own.now().getTime() - first < hours * HOUR_MS
            ? request
            : withHeader(request, 'idempotency-key', undefined)
        },
      },
    }
  }

/** Reports a failed payment as completed after more than 72 hours. */
const completesLate: PlantHooks = ({ own }) => {
  const seen = new Map<string, number>()
  return replies(['verifyTransaction'], 200, (reply, { path }) => {
    if (!reply.body.includes('FAILED')) return reply
    const first = seen.get(path) ?? own.now().getTime()
    seen.set(path, first)
    if (own.now().getTime() - first <= 72 * HOUR_MS) return reply
    const completed = { transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully' }
    return withFields(
      reply,
      data((record) => ({ ...record, ...completed })),
    )
  })
}

/** Drops a Retry-After date on its way to the gateway, and turns the ninth refusal into a yes. */
const triesNineTimes: PlantHooks = () => {
  const times = new Map<string, number>()
  return {
    merchant: {
      onReply: (reply, request) => {
        const id = header(request, 'webhook-id') ?? ''
        times.set(id, (times.get(id) ?? 0) + 1)
        if (times.get(id) === 9 && request.method === 'POST') return OK
        return /[a-z]/i.test(header(reply, 'retry-after') ?? '') ? withHeader(reply, 'retry-after', undefined) : reply
      },
    },
  }
}

const oneUnitOver: PlantHooks = (gateway) =>
  accepts(sender(gateway), PAYMENTS, /^amount exceeds the daily limit/, (request) =>
    [1_000_001, 100_000.01].includes(amountOf(request))
      ? setting(({ amount }) => ({ amount: Math.floor(Number(amount) - 0.5) }))(request)
      : request,
  )
/** A changed number has a daily limit of its own. */
const plusIsAnother: PlantHooks = (gateway) =>
  accepts(sender(gateway), PAYMENTS, /^amount exceeds the daily limit/, (request) =>
    withFields(request, (given) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, String(value).startsWith('+') ? '256770009006' : value]),
      ),
    ),
  )
const smallBodies: PlantHooks = () => ({
  api: {
    onReply: (reply, { body }) =>
      body.length >= 65_536 ? refusal(reply, 413, 'The request body is larger than 65536 bytes') : reply,
  },
})
const retriesAfterAMinute: PlantHooks = () => ({
  api: { onReply: (reply) => (reply.status === 429 ? withHeader(reply, 'retry-after', '60') : reply) },
})

type ExpectedFinding = readonly [about: string, what: string]

/** Wrong servers, the sections that test them, and the exact findings. */
export const PLANTED: readonly (readonly [string, readonly Section[], PlantHooks, readonly ExpectedFinding[]])[] = [
  [
    'one unit over the daily limit',
    ['dailyLimits'],
    oneUnitOver,
    [
      ['initializeCollection', 'daily limit: one unit over'],
      ['sendFunds', 'daily limit: one unit over'],
    ],
  ],
  [
    'a separate daily limit for a number with a plus sign',
    ['dailyLimits'],
    plusIsAnother,
    [
      ['initializeCollection', 'daily limit: the same number with a +'],
      ['sendFunds', 'daily limit: the same number with a +'],
    ],
  ],
  [
    'what failed counts as well',
    ['releases'],
    neverReleases,
    [
      ['initializeCollection', 'what FAILED counts no longer'],
      ['initializeCollection', 'FAILED by wrong OTPs no longer counts'],
    ],
  ],
  [
    'a sixth attempt at the OTP',
    ['passwords'],
    pretends(AUTHORIZE, /is not waiting for/),
    [['authorizeCollection', 'the right OTP after five wrong ones']],
  ],
  [
    'OTPs that never expire',
    ['passwords'],
    () =>
      replies(AUTHORIZE, 400, (reply, request) => (fieldsOf(request)?.['otp'] === 123_456 ? accepted(reply) : reply)),
    [['authorizeCollection', 'the right OTP a moment after its five minutes']],
  ],
  [
    'Idempotency-Keys of 23 hours',
    ['idempotencyKeys'],
    forgetsKeys(23),
    [
      ['authorizeCollection', 'the Idempotency-Key of authorizeCollection, a moment before 24 hours'],
      ['authorizeCollection', 'the Idempotency-Key of authorizeCollection, with another body, a moment before'],
      ['initializeCollection', 'the Idempotency-Key of initializeCollection, a moment before 24 hours'],
      ['initializeCollection', 'the Idempotency-Key of initializeCollection, with another body, a moment before'],
      ['initializeCollection', 'the Idempotency-Key of initializeCollection, with another body, a moment after'],
      ['sendFunds', 'the Idempotency-Key of sendFunds, a moment before 24 hours'],
      ['sendFunds', 'the Idempotency-Key of sendFunds, with another body, a moment before 24 hours'],
      ['sendFunds', 'the Idempotency-Key of sendFunds, with another body, a moment after 24 hours'],
    ],
  ],
  [
    'late results after 72 hours',
    ['lives'],
    completesLate,
    [['initializeCollection', 'a late result a moment after 72']],
  ],
  [
    'a try too few, and no Retry-After as a date',
    ['attempts'],
    triesNineTimes,
    [
      ['retries', 'a callback that is never acknowledged: try 10 did not come'],
      ['retries', 'a callback that is acknowledged at the last try: try 10 did not come'],
      ['retries', 'a callback after a Retry-After 30 hours ahead: try 2 came'],
    ],
  ],
  [
    'an OTP too many',
    ['accountBounds'],
    pretends(COLLECT, /^Too many one-time passwords/),
    [
      ['initializeCollection', 'one OTP more than 10'],
      ['initializeCollection', 'an OTP after 15 wrong ones'],
    ],
  ],
  [
    'a prompt too many',
    ['accountBounds'],
    pretends(COLLECT, /^Too many approval prompts/),
    [['initializeCollection', 'one prompt more than 10']],
  ],
  [
    'a page too many',
    ['accountBounds'],
    pretends(COLLECT, /^Too many open payment pages/),
    [['initializeCollection', 'one open page more than 10']],
  ],
  [
    'bodies of one byte less',
    ['bodySize'],
    smallBodies,
    [
      ['initializeCollection', 'a body of 65536 bytes'],
      ['sendFunds', 'a body of 65536 bytes'],
    ],
  ],
  ['a Retry-After of its own', ['rateLimits'], retriesAfterAMinute, [['rate limits', 'Retry-After is 60']]],
]
