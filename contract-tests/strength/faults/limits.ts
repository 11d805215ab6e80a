import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { fieldsOf, header, INITIALIZE, isOne, PAYMENTS, POSTS, refusal, withHeader } from './edit.ts'
import { ruleFaultsOf, type OperationId, type Plant, type FaultContext } from './fault.ts'
import { callbacks, handshakes, inReplies, OK, acceptedAnyway } from './rows.ts'

// A limit or a time that is off by one unit, one second or one attempt, in either direction.

/** Changes a row of a table before it is stored. @param body of a trigger function, in PL/pgSQL */
const stored = (what: string, table: string, before: 'insert' | 'update' | 'delete', body: string) => ({
  what,
  plant: (): Plant => ({
    database: [
      `create function planted() returns trigger language plpgsql as $$ begin ${body} return ${before === 'delete' ? 'old' : 'new'}; end $$`,
      `create trigger planted before ${before} on ${table} for each row execute function planted()`,
    ],
  }),
})
const session = (what: string, body: string) =>
  // An upsert of an existing id fires the insert trigger too.
  stored(
    what,
    'payment_sessions',
    'insert',
    `if not exists (select from payment_sessions where transaction_id = new.transaction_id) then ${body} end if;`,
  )
const otpSent = (what: string, by: string) =>
  stored(
    what,
    'payment_sessions',
    'update',
    `if new.otp_sent_at is distinct from old.otp_sent_at then new.otp_sent_at := new.otp_sent_at ${by}; end if;`,
  )
const usage = (what: string, body: string) => stored(what, 'limit_usage', 'insert', body)
const firstPage = (what: string, body: string) =>
  stored(
    what,
    'account_usage',
    'insert',
    `if new.kind = 'open_page' and new.transaction_id > 0
       and not exists (select from account_usage where account = new.account and kind = 'open_page') then ${body} end if;`,
  )
/** The wait after an attempt. @param attempt number of attempts so far @param change of `new`, the job */
const waits = (what: string, kind: 'deliverCallback' | 'verifyPayout', attempt: number, change: string) =>
  stored(
    what,
    'jobs',
    'update',
    `if new.kind = '${kind}' and new.token is null and old.token is not null and new.attempt = ${attempt} then ${change} end if;`,
  )

const BROKEN: WireReply = { ...OK, status: 500 }
/** No wait for the merchant is longer than this. */
const impatient = (what: string, isOneOf: (message: WireRequest) => boolean, limitMs: number) => ({
  what,
  plant: ({ deliver }: FaultContext): Plant => ({
    merchant: {
      onRequest: async (message) => {
        if (!isOneOf(message)) return message
        const late = Promise.withResolvers<never>()
        const timer = setTimeout(() => late.reject(new Error('too late')), limitMs)
        return { answer: await Promise.race([deliver(message), late.promise]).finally(() => clearTimeout(timer)) }
      },
    },
  }),
})
/** Other seconds in Retry-After. */
const retryAfter = (what: string, change: (value: string) => string | undefined) =>
  callbacks.answered(what, (reply) => {
    const value = header(reply, 'retry-after')
    return value === undefined ? reply : withHeader(reply, 'retry-after', change(value))
  })
/** Answers to a message, counted by its id. @param change of the answer to the nth attempt, from 1 */
const counted = (what: string, change: (reply: WireReply, attempt: number) => WireReply) => ({
  what,
  plant: (world: FaultContext): Plant => {
    const attempts = new Map<string, number>()
    return callbacks
      .answered(what, (reply, message) => {
        const id = header(message, 'webhook-id') ?? ''
        const attempt = (attempts.get(id) ?? 0) + 1
        attempts.set(id, attempt)
        return change(reply, attempt)
      })
      .plant(world)
  },
})
/** A text of exactly the maximum or minimum length is refused. */
const tooLong = (
  what: string,
  at: readonly OperationId[],
  isEdge: (request: WireRequest) => boolean,
  [status, message]: readonly [number, string],
) =>
  inReplies(what, at, 'any', (reply, request) =>
    reply.status < 400 && isEdge(request) ? refusal(reply, status, message) : reply,
  )
const lengthOf = (request: WireRequest, name: string): number => {
  const value = fieldsOf(request)?.[name]
  return typeof value === 'string' ? value.length : 0
}
const BAD_REFERENCE = 'must have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -'

export const limitFaults = ruleFaultsOf('limits', {
  'page-a-second-short': {
    what: 'ends a payment page after 29 minutes and 59 seconds',
    plant: () => ({
      database: [
        ...(session('', `new.expires_at := new.expires_at - interval '1 second';`).plant().database ?? []),
        `create function planted_work() returns trigger language plpgsql as
           $$ begin if new.kind = 'expirePage' then new.due_at := new.due_at - interval '1 second'; end if; return new; end $$`,
        'create trigger planted_work before insert on jobs for each row execute function planted_work()',
      ],
    }),
  },
  'page-a-second-long': session(
    'ends a payment page after 30 minutes and a second',
    `new.expires_at := new.expires_at + interval '1 second';`,
  ),
  'page-of-an-hour': session(
    'keeps a payment page open for an hour',
    `new.expires_at := new.expires_at + interval '30 minutes';`,
  ),
  'otp-a-second-short': otpSent('accepts a one-time password for 4 minutes and 59 seconds', "- interval '1 second'"),
  'otp-a-second-long': otpSent('accepts a one-time password for 5 minutes and a second', "+ interval '1 second'"),
  'otp-of-four-tries': session(
    'ends a collection with the fourth wrong OTP',
    'new.otp_tries_left := new.otp_tries_left - 1;',
  ),
  'otp-of-six-tries': session('allows a sixth attempt at the OTP', 'new.otp_tries_left := new.otp_tries_left + 1;'),
  'idempotency-key-a-second-short': stored(
    'forgets an Idempotency-Key a second too early',
    'idempotency_keys',
    'insert',
    `new.created_at := new.created_at - interval '1 second';`,
  ),
  'idempotency-key-a-second-long': stored(
    'keeps an Idempotency-Key a second too long',
    'idempotency_keys',
    'insert',
    `new.created_at := new.created_at + interval '1 second';`,
  ),
  'idempotency-key-of-an-hour': stored(
    'forgets an Idempotency-Key after an hour',
    'idempotency_keys',
    'insert',
    `new.created_at := new.created_at - interval '23 hours';`,
  ),
  'daily-window-a-second-short': usage(
    'counts toward the daily limit for a second less than 24 hours',
    `new.created_at := new.created_at - interval '1 second';`,
  ),
  'daily-window-a-second-long': usage(
    'counts toward the daily limit for a second more than 24 hours',
    `new.created_at := new.created_at + interval '1 second';`,
  ),
  'daily-limit-of-a-calendar-day': usage(
    'counts toward the daily limit until midnight',
    `new.created_at := date_trunc('day', new.created_at at time zone 'utc') at time zone 'utc';`,
  ),
  'daily-limit-a-unit-more': usage(
    'counts each payment toward the daily limit with one unit too little',
    'new.amount_minor := new.amount_minor - 1;',
  ),
  'daily-limit-a-unit-less': usage(
    'counts each payment toward the daily limit with one unit too much',
    'new.amount_minor := new.amount_minor + 1;',
  ),
  'daily-limit-of-both-directions': usage(
    'counts collections toward the daily limit of payouts',
    `if new.transaction_type = 'COLLECTION' then
       insert into limit_usage values (new.provider_code, 'PAYOUT', new.account, -new.transaction_id, new.created_at, new.amount_minor);
     end if;`,
  ),
  'daily-limit-keeps-failed-payouts': stored(
    'counts failed payouts toward the daily limit',
    'limit_usage',
    'delete',
    `if old.transaction_type = 'PAYOUT' then return null; end if;`,
  ),
  'daily-limit-keeps-failed-collections': stored(
    'counts failed collections toward the daily limit',
    'limit_usage',
    'delete',
    `if old.transaction_type = 'COLLECTION' then return null; end if;`,
  ),
  'daily-limit-keeps-unconfirmed-payouts': stored(
    'counts payouts toward the daily limit that the handshake has ended',
    'limit_usage',
    'delete',
    // Money was held for every other one.
    `if old.transaction_type = 'PAYOUT' and not exists (select from transfers where transaction_id = old.transaction_id) then return null; end if;`,
  ),
  'daily-limit-keeps-lapsed-collections': stored(
    'counts collections without their OTP toward the daily limit',
    'limit_usage',
    'delete',
    // A wrong OTP has used up an attempt.
    `if old.transaction_type = 'COLLECTION' and not exists (select from transfers where transaction_id = old.transaction_id) and exists (select from payment_sessions where transaction_id = old.transaction_id and otp_tries_left = 5 and otp_sent_at is not null) then return null; end if;`,
  ),
  'open-pages-one-more': firstPage('lets a merchant have 11 payment pages open for an account number', 'return null;'),
  'open-pages-one-less': firstPage(
    'lets a merchant have 9 payment pages open for an account number',
    `insert into account_usage values (new.account, 'open_page', -new.transaction_id, 1, new.counts_until, new.merchant_id);`,
  ),
  'late-result-a-second-short': stored(
    'ignores a late result a second before 72 hours are over',
    'transactions',
    'update',
    `if new.status = 'FAILED' and old.status <> 'FAILED' then new.final_at := new.final_at - interval '1 second'; end if;`,
  ),
  'late-result-a-day-long': stored(
    'accepts a late result for 96 hours',
    'transactions',
    'update',
    `if new.status = 'FAILED' and old.status <> 'FAILED' then new.final_at := new.final_at + interval '24 hours'; end if;`,
  ),
  'retry-a-second-early': waits(
    'tries a callback again after 4 seconds',
    'deliverCallback',
    1,
    `new.due_at := new.due_at - interval '1 second';`,
  ),
  'retry-second-wait-as-first': waits(
    'waits 5 seconds again before the second retry of a callback',
    'deliverCallback',
    2,
    `new.due_at := new.due_at - interval '295 seconds';`,
  ),
  'retry-third-wait-doubled': waits(
    'waits an hour before the third retry of a callback',
    'deliverCallback',
    3,
    `new.due_at := new.due_at + interval '30 minutes';`,
  ),
  'retry-up-to-a-third-longer': waits(
    'makes the second wait of a callback longer by up to a third, not a tenth',
    'deliverCallback',
    2,
    `new.due_at := new.due_at + interval '70 seconds';`,
  ),
  'retry-once-too-few': counted('gives a callback up after the eighth retry', (reply, attempt) =>
    attempt >= 9 && reply.status >= 300 ? { ...reply, status: 410 } : reply,
  ),
  'retry-after-of-date-ignored': retryAfter('does not read a date in Retry-After', (value) =>
    /^\d+$/.test(value) ? value : undefined,
  ),
  'retry-after-in-milliseconds': retryAfter('reads Retry-After as milliseconds', (value) =>
    /^\d+$/.test(value) ? String(Math.ceil(Number(value) / 1000)) : value,
  ),
  'retry-after-a-minute-at-most': retryAfter('waits a minute at most, whatever Retry-After says', (value) =>
    /^\d+$/.test(value) ? String(Math.min(Number(value), 60)) : value,
  ),
  'callback-of-ten-seconds': impatient(
    'waits 10 seconds for the answer to a callback',
    ({ method }) => method === 'POST',
    10_000,
  ),
  'handshake-of-three-seconds': impatient(
    'waits 3 seconds for the answer to a handshake',
    ({ method }) => method === 'GET',
    3_000,
  ),
  'handshake-second-wait-as-first': waits(
    'waits 5 seconds before the second question again',
    'verifyPayout',
    2,
    `new.due_at := new.due_at - interval '25 seconds';`,
  ),
  'handshake-third-wait-half': waits(
    'waits a minute before the last question',
    'verifyPayout',
    3,
    `new.due_at := new.due_at - interval '1 minute';`,
  ),
  'handshake-once-too-few': stored(
    'sends a handshake three times only',
    'handshake_attempts',
    'insert',
    'if new.attempt = 2 then new.attempt := 3; end if;',
  ),
  'handshake-created-not-taken': handshakes.answered('treats only 200 of all 2xx as a yes', (reply) =>
    reply.status > 200 && reply.status < 300 ? BROKEN : reply,
  ),
  'too-many-requests-taken-for-no': handshakes.answered('treats 429 as a rejection of a payout', (reply) =>
    reply.status === 429 ? { ...reply, status: 403 } : reply,
  ),
  'longest-reference-refused': tooLong(
    'refuses a reference of 36 characters',
    PAYMENTS,
    (request) => lengthOf(request, 'merchant_reference') === 36,
    [400, `merchant_reference ${BAD_REFERENCE}`],
  ),
  'shortest-reference-refused': tooLong(
    'refuses a reference of 8 characters',
    PAYMENTS,
    (request) => lengthOf(request, 'merchant_reference') === 8,
    [400, `merchant_reference ${BAD_REFERENCE}`],
  ),
  'shortest-description-refused': tooLong(
    'refuses a description of 10 characters',
    PAYMENTS,
    (request) => lengthOf(request, 'description') === 10,
    [400, 'description must have 10 to 30 characters'],
  ),
  'longest-key-refused': tooLong(
    'refuses an Idempotency-Key of 255 characters',
    POSTS,
    (request) => header(request, 'idempotency-key')?.length === 255,
    [400, 'Idempotency-Key must have 1 to 255 characters'],
  ),
  'longest-email-refused': tooLong(
    'refuses an e-mail address of more than 100 characters',
    INITIALIZE,
    (request) => lengthOf(request, 'customer_email') > 100,
    [400, 'customer_email must be an e-mail address'],
  ),
  'longest-key-passed-by-one': acceptedAnyway(
    'accepts an Idempotency-Key of 256 characters',
    POSTS,
    /^Idempotency-Key must have/,
    (request) =>
      header(request, 'idempotency-key')?.length === 256
        ? withHeader(request, 'idempotency-key', header(request, 'idempotency-key')?.slice(1))
        : request,
  ),
  'largest-body-refused': {
    what: 'refuses a body of 65536 bytes as too large',
    plant: (): Plant => ({
      api: {
        onReply: (reply, request) =>
          isOne(POSTS, request) && request.body.length === 65_536
            ? refusal(reply, 413, 'The request body is larger than 65536 bytes')
            : reply,
      },
    }),
  },
})
