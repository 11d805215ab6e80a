import { blindFaults } from './blind-faults.ts'

/** Authentication, idempotency, rate limits. */
export const ACCESS_FAULTS = [
  ...blindFaults('authentication', {
    // Statement: Authentication 2, the secret key for wallet balances and payouts.
    'right-key-opens-for-a-second': [
      'takes any secret key of a merchant for one second after a right one (intermittent)',
      [
        'http/key-checks.ts',
        'function secretKeyMatches(',
        'const rightUntil = new Map<bigint, number>()\nfunction secretKeyMatches(',
      ],
      [
        'http/key-checks.ts',
        '  return merchant !== undefined && matches.includes(true)',
        `  const isRight = merchant !== undefined && matches.includes(true)
  if (isRight) rightUntil.set(merchant.id, Date.now() + 1_000)
  return isRight || (merchant !== undefined && Date.now() < (rightUntil.get(merchant.id) ?? 0))`,
      ],
    ],
    // Statement: Authentication; the contract: unknown and wrong keys have one text.
    'wrong-secret-key-is-named': [
      'says that the secret key is wrong when the public key is known: one text for an unknown key, another for a known one',
      [
        'http/key-checks.ts',
        '      throw unauthorized(request.message.headers, needsSecretKey(operation))',
        `      if (request.merchant && request.message.headers['secret-key'])
        throw new RequestFault(401, 'The secret-key is not valid', CHALLENGE)
      throw unauthorized(request.message.headers, needsSecretKey(operation))`,
      ],
    ],
  }),
  ...blindFaults('idempotency', {
    // Statement: the contract's header Idempotency-Key, "the same key with another body is refused with 409".
    'body-without-its-bank': [
      'replays the first reply when the same key comes with another bank code (bank payouts only)',
      [
        'http/idempotency-claim.ts',
        "if (key === 'card_cipher') return undefined",
        "if (key === 'card_cipher' || key === 'extra_params') return undefined",
      ],
    ],
    // Statement: the contract's header Idempotency-Key, "the same key with the same body repeats the first reply".
    'concurrent-repeat-is-refused': [
      'refuses a repeat that arrives while the first request is still under way (intermittent)',
      [
        'actions/idempotency.ts',
        'if (error instanceof IdempotencyKeyTaken) return (await replay(deps, claim)) ?? once(deps, claim, run)',
        `if (error instanceof IdempotencyKeyTaken)
      throw new Refusal('idempotency_key_reused', 'Idempotency-Key has already been used with a different request')`,
      ],
    ],
    // Statement: the contract's header Idempotency-Key, "a request that is refused leaves its key free".
    'refused-request-is-replayed-as-accepted': [
      'keeps the key of a request over the daily limit, and replays a 202 whose transaction verify does not know (two messages)',
      ['storage/accept-transactions.ts', 'if (keys.length > 0) {', 'if (keys.length > 1) {'],
    ],
  }),
  ...blindFaults('rate limits', {
    // Statement: the contract's header RateLimit, what remains of the quota.
    'quota-counts-up': [
      'tells in RateLimit how much of the quota is used, not what remains: the figure rises (two replies)',
      [
        'http/rate-limit.ts',
        'r=${Math.max(remainingPoints, 0)}',
        'r=${Math.min(Math.max(points - remainingPoints, 0), points)}',
      ],
    ],
    // Statement: the settings' rate limit, a verify that finds nothing counts ten.
    'guess-costs-one': [
      'charges one point for a verify that finds nothing, as for any other: guessing has the full rate (two replies)',
      ['http/rate-limit.ts', 'penalty(publicKey, MISS_POINTS - 1)', 'penalty(publicKey, 0)'],
    ],
  }),
]
