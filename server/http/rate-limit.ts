import { createHmac, randomBytes } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RequestFault } from './failures.ts'
import { withoutPort } from './client-address.ts'

const WINDOW_SECONDS = 10
/** A reference that is not the merchant's costs this many points: guessing gets a tenth of the rate. */
const MISS_POINTS = 10
/**
 * Addresses share this many counters, assigned by a keyed digest. The memory is bounded however many clients there
 * are, and nobody can choose whose counter to share. Two addresses that share one lose nothing but 429 instead of 401
 * or 404.
 */
const ADDRESS_SLOTS = 16_384

/** Averages per second; a burst may use a whole window of ten seconds at once. */
interface RatesPerSecond {
  /** For each of a merchant's two buckets. */
  readonly perMerchant: number
  /** For refused keys and unknown payment pages. */
  readonly perAddress: number
}

/**
 * Counts in windows of ten seconds, separately in each process. A method that throws throws RequestFault 429 with
 * `Retry-After`; the others return what is left as headers of the reply.
 */
export interface RateLimits {
  /**
   * A request with right keys. Requests with only the public key must not use up what payouts need: they have a
   * separate bucket.
   */
  request(publicKey: string, withSecretKey: boolean): Promise<QuotaHeaders>
  /** The requested transaction does not exist: the request counts as ten. Never throws; the next request may. */
  miss(publicKey: string): Promise<QuotaHeaders>
  /** A request whose keys were refused or may be: counted before the lookup. */
  refusedKeys(address: string): Promise<QuotaHeaders>
  /** The keys proved right: the point is refunded. */
  rightKeys(address: string): Promise<void>
  /** A request for a payment page that does not exist. @returns the seconds to wait after too many of them */
  pageGuess(address: string): Promise<number | undefined>
}

/** Buckets in the memory of this process: each API process has its own. */
export function createRateLimits({ perMerchant, perAddress }: RatesPerSecond): RateLimits {
  const merchants = { secret: createBucket('secret-key', perMerchant), public: createBucket('public-key', perMerchant) }
  const addresses = createBucket('wrong-keys', perAddress)
  const slotOf = createSlots()
  return {
    request: (publicKey, withSecretKey) =>
      taken(merchants[withSecretKey ? 'secret' : 'public'], publicKey, 'Too many requests'),
    // The request itself has already cost one point.
    async miss(publicKey) {
      return merchants.public.headers(await merchants.public.limiter.penalty(publicKey, MISS_POINTS - 1))
    },
    refusedKeys: (address) => taken(addresses, slotOf(address), 'Too many requests with wrong keys'),
    async rightKeys(address) {
      await addresses.limiter.reward(slotOf(address), 1)
    },
    async pageGuess(address) {
      const { isOver, left } = await consumed(addresses, slotOf(address))
      return isOver ? secondsToWait(left) : undefined
    },
  }
}

interface Bucket {
  readonly limiter: RateLimiterMemory
  readonly headers: (left: RateLimiterRes) => QuotaHeaders
}

function createBucket(name: string, perSecond: number): Bucket {
  const points = perSecond * WINDOW_SECONDS
  return {
    limiter: new RateLimiterMemory({ points, duration: WINDOW_SECONDS }),
    headers: quotaHeaders({ name, points, windowSeconds: WINDOW_SECONDS }),
  }
}

/** @throws RequestFault 429 when nothing was left */
async function taken(bucket: Bucket, key: string, what: string): Promise<QuotaHeaders> {
  const { isOver, left } = await consumed(bucket, key)
  const headers = bucket.headers(left)
  if (!isOver) return headers
  const seconds = secondsToWait(left)
  throw new RequestFault(429, `${what}: try again in ${seconds} second${seconds === 1 ? '' : 's'}`, {
    ...headers,
    'retry-after': String(seconds),
  })
}

async function consumed(
  { limiter }: Bucket,
  key: string,
): Promise<{ readonly isOver: boolean; readonly left: RateLimiterRes }> {
  try {
    return { isOver: false, left: await limiter.consume(key) }
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return { isOver: true, left: error }
  }
}

const secondsToWait = ({ msBeforeNext }: RateLimiterRes): number => Math.max(Math.ceil(msBeforeNext / 1000), 1)

/**
 * Maps an address to one of a fixed number of slots: addresses cannot fill the memory, nor choose whose slot they
 * share.
 */
export function createSlots(): (address: string) => string {
  const key = randomBytes(32)
  return (address) =>
    String(createHmac('sha256', key).update(networkOf(address)).digest().readUInt32BE(0) % ADDRESS_SLOTS)
}

/**
 * The /64 for IPv6, because one subscriber has all of it; an IPv4-mapped IPv6 address is the same client as its IPv4
 * address. The address of a client that has disconnected is undefined.
 */
export function networkOf(address: string | undefined): string {
  const plain = withoutPort(address ?? '')
  if (!ipaddr.isValid(plain)) return plain
  const parsed = ipaddr.process(plain)
  return parsed.kind() === 'ipv4' ? parsed.toString() : Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')
}

/** What is left of a rate limit, for the client. */
export type QuotaHeaders = Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>

interface Policy {
  /** Letters and hyphens; clients tell the buckets apart by it. */
  readonly name: string
  readonly points: number
  readonly windowSeconds: number
}

/** As the limiter counts: points below zero are requests that were refused. */
interface RemainingQuota {
  readonly remainingPoints: number
  readonly msBeforeNext: number
}

/**
 * Both fields of the draft: how many requests (`q`) in how many seconds (`w`), and how many of them remain (`r`) until
 * the window ends (`t`, seconds).
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
 */
export function quotaHeaders({ name, points, windowSeconds }: Policy): (left: RemainingQuota) => QuotaHeaders {
  const policy = `"${name}";q=${points};w=${windowSeconds}`
  return ({ remainingPoints, msBeforeNext }) => ({
    'ratelimit-policy': policy,
    ratelimit: `"${name}";r=${Math.max(remainingPoints, 0)};t=${Math.max(Math.ceil(msBeforeNext / 1000), 1)}`,
  })
}
