import type { Digests } from '../../storage/digests.ts'
import type { Queryable } from '../../storage/pool.ts'

// Who is slowed down, and who is not (OWASP, "Device Cookies"): an attacker who fails on an account uses up the bucket
// of their own address, and never that of the browser that its owner signed in with before. There is no bucket of an
// account alone for passwords: whoever knows an e-mail address could lock its owner out.

const MINUTE_MS = 60_000

const LIMITS = {
  /** A browser that this person signed in with before. */
  device: { failuresMax: 10, windowMs: 15 * MINUTE_MS },
  /** An account, from one address. */
  account: { failuresMax: 5, windowMs: 15 * MINUTE_MS },
  /** All accounts, from one address. */
  address: { failuresMax: 50, windowMs: 15 * MINUTE_MS },
  /** Wrong codes after the right password, from browsers that are not known: only who has the password causes them. */
  code: { failuresMax: 20, windowMs: 24 * 60 * MINUTE_MS },
  /** Challenges and logins that somebody begins from one address: each is a row until it expires. */
  begun: { failuresMax: 300, windowMs: 15 * MINUTE_MS },
} as const

type BucketKind = keyof typeof LIMITS

/** What a failure is counted for. */
export interface Bucket {
  readonly kind: BucketKind
  readonly key: string
}

interface AttemptContext {
  readonly client: Queryable
  readonly digests: Digests
  readonly now: Date
}

/**
 * The buckets of an attempt with a password.
 * @param network the client's address (of IPv6 its /64)
 * @param device the browser's own id, if this account was used with it before
 */
export const bucketsOf = (email: string, network: string, device: string | undefined): readonly Bucket[] =>
  device === undefined
    ? [
        { kind: 'account', key: `${email.toLowerCase()} ${network}` },
        { kind: 'address', key: network },
      ]
    : [{ kind: 'device', key: device }]

const bucketId = ({ digests }: AttemptContext, { kind, key }: Bucket): Buffer => digests(`sign-in ${kind}`, key)

/**
 * Counts an attempt as failed before it is looked at, so that many at once are no more than the limit.
 * @returns what is wrong with it: `over` a limit, or the one that `reaches` it
 */
export async function countAttempt(
  context: AttemptContext,
  buckets: readonly Bucket[],
): Promise<'over' | 'reaches' | undefined> {
  const { client, now } = context
  let result: 'over' | 'reaches' | undefined
  for (const bucket of buckets) {
    const { failuresMax, windowMs } = LIMITS[bucket.kind]
    const { rows } = await client.query<{ failures: number }>(
      `insert into sign_in_failures as f (bucket, failures, expires_at) values ($1, 1, $2)
       on conflict (bucket) do update set
         failures = case when f.expires_at <= $3 then 1 else f.failures + 1 end,
         expires_at = case when f.expires_at <= $3 then $2 else f.expires_at end
       returning failures`,
      [bucketId(context, bucket), new Date(now.getTime() + windowMs), now],
    )
    const failures = rows[0]?.failures ?? 0
    if (failures > failuresMax) return 'over'
    if (failures === failuresMax) result = 'reaches'
  }
  return result
}

/** The attempt was right: its count goes back, and the account's own buckets are empty. */
export async function forgiveAttempt(context: AttemptContext, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets)
    await context.client.query(
      bucket.kind === 'address'
        ? 'update sign_in_failures set failures = failures - 1 where bucket = $1'
        : 'delete from sign_in_failures where bucket = $1',
      [bucketId(context, bucket)],
    )
}
