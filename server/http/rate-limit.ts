import { createHmac, randomBytes } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RequestFault } from './failures.ts'
import { withoutPort } from './client-address.ts'

const WINDOW_SECONDS = 10
/** A reference that is not the merchant's counts this often: whoever guesses has a tenth of the guesses. */
const MISS_POINTS = 10
/**
 * Addresses share this many counters, told apart by a keyed digest: so many strangers as there may be, the memory is
 * bounded, and nobody can choose whose counter to share. Two that do share one lose nothing but 429 in the place of 401
 * or 404.
 */
const ADDRESS_SLOTS = 16_384

/** Averages per second; a burst may use a whole window of ten seconds at once. */
export interface RatesPerSecond {
  /** Of each of a merchant's two buckets. */
  readonly perMerchant: number
  /** Of refused keys and unknown payment pages. */
  readonly perAddress: number
}

/**
 * Counts in windows of ten seconds, in each process on its own. Those that throw throw RequestFault 429 with
 * `Retry-After`.
 */
export interface RateLimits {
  /**
   * A request with right keys. Whoever has the public key alone must not use up what payouts need: they have a bucket
   * of their own.
   */
  request(publicKey: string, withSecretKey: boolean): Promise<void>
  /** The transaction that was asked for is not there: the request counts as ten. Never throws; the next request may. */
  miss(publicKey: string): Promise<void>
  /** A request whose keys were refused. */
  refusedKeys(address: string): Promise<void>
  /** Somebody asked for a payment page that does not exist. @returns the seconds to wait when there were too many */
  pageGuess(address: string): Promise<number | undefined>
}

/** Buckets in the memory of this process: each API process has its own. */
export function createRateLimits({ perMerchant, perAddress }: RatesPerSecond): RateLimits {
  const bucket = (perSecond: number) =>
    new RateLimiterMemory({ points: perSecond * WINDOW_SECONDS, duration: WINDOW_SECONDS })
  const merchants = { secret: bucket(perMerchant), public: bucket(perMerchant) }
  const addresses = bucket(perAddress)
  const slotOf = createSlots()
  return {
    async request(publicKey, withSecretKey) {
      refuseFor(await secondsToWait(merchants[withSecretKey ? 'secret' : 'public'], publicKey), 'Too many requests')
    },
    // One point it has cost as a request already.
    miss: async (publicKey) => void (await merchants.public.penalty(publicKey, MISS_POINTS - 1)),
    async refusedKeys(address) {
      refuseFor(await secondsToWait(addresses, slotOf(address)), 'Too many requests with wrong keys')
    },
    pageGuess: (address) => secondsToWait(addresses, slotOf(address)),
  }
}

function refuseFor(seconds: number | undefined, what: string): void {
  if (seconds === undefined) return
  throw new RequestFault(429, `${what}: try again in ${seconds} second${seconds === 1 ? '' : 's'}`, {
    'retry-after': String(seconds),
  })
}

async function secondsToWait(bucket: RateLimiterMemory, key: string): Promise<number | undefined> {
  try {
    await bucket.consume(key)
    return undefined
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return Math.max(Math.ceil(error.msBeforeNext / 1000), 1)
  }
}

/**
 * Which of a fixed number of slots an address falls into: addresses cannot fill the memory, nor choose whose slot they
 * share.
 */
export function createSlots(): (address: string) => string {
  const key = randomBytes(32)
  return (address) =>
    String(createHmac('sha256', key).update(networkOf(address)).digest().readUInt32BE(0) % ADDRESS_SLOTS)
}

/**
 * Of IPv6 the /64, all of which one subscriber has; IPv4 written as IPv6 is the same client. A client that has gone
 * already has no address any more.
 */
export function networkOf(address: string | undefined): string {
  const plain = withoutPort(address ?? '')
  if (!ipaddr.isValid(plain)) return plain
  const parsed = ipaddr.process(plain)
  return parsed.kind() === 'ipv4' ? parsed.toString() : Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')
}
