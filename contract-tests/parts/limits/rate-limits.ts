import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { getRequest, walletsRequest, type ApiReply } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'

/** Rate limits of the gateway: requests a second, counted over ten. */
export const RATES = { MALIPO_RATE_LIMIT: '20', MALIPO_RATE_LIMIT_ADDRESS: '1' }
const [PER_MERCHANT, PER_ADDRESS, WINDOW_S, MISS] = [200, 10, 10, 10]
const ABOUT = 'rate limits'
const SOURCE = 'docs, page "Errors", What is counted'
const TOO_MANY = { status: 429, message: /^Too many requests: try again in \d+ seconds?$/ }
const TOO_MANY_WRONG = { status: 429, message: /^Too many requests with wrong keys: try again in \d+ seconds?$/ }
const LOOKUP = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
const NOBODYS = '/data/transaction/verify/NOBODY-MADE-THIS'

/**
 * Uses up the rate limits of wrong keys and of the secret key. They refill in real time, whatever the clock shows;
 * meanwhile checks with the public key go on.
 * @returns a function that waits until they have refilled
 */
export async function useUpRates(fixture: DriverFixture): Promise<() => Promise<void>> {
  const driver = fixture.driver('so many requests with the secret key')
  const { target } = fixture
  const thirdParties = fixture.driver('so many requests with wrong keys')
  const wrong = (): Promise<ApiReply> => thirdParties.send(getRequest({ publicKey: 'pub_of_nobody' }, LOOKUP))
  const wallets = (): Promise<ApiReply> => driver.send(walletsRequest(target))
  await useUp(fixture, thirdParties, wrong, { name: 'wrong-keys', of: PER_ADDRESS, status: 401, over: TOO_MANY_WRONG })
  const over = await useUp(fixture, driver, wallets, {
    name: 'secret-key',
    of: PER_MERCHANT,
    status: 200,
    over: TOO_MANY,
  })
  const right = await thirdParties.send(getRequest(target, LOOKUP))
  thirdParties.expect(ABOUT, right, 200, 'right keys after too many wrong ones', SOURCE)
  quota(thirdParties, right, 'public-key', PER_MERCHANT)
  if (over?.status !== 429) return () => Promise.resolve()
  const seconds = Number(over.header('retry-after'))
  const isOver = new Promise((resolve) => setTimeout(resolve, Math.min(seconds || 0, WINDOW_S) * 1_000))
  return async () => {
    await isOver
    driver.story.waited(seconds * 1_000)
    driver.expect(ABOUT, await wallets(), 200, 'a request after as many seconds as Retry-After says', SOURCE)
  }
}

/** A verify that finds nothing counts as ten requests. */
export async function misses(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('a verify that finds nothing')
  const miss = (): Promise<ApiReply> => driver.send(getRequest(fixture.target, NOBODYS))
  const before = restOf(await driver.send(getRequest(fixture.target, LOOKUP)))
  const after = restOf(await miss())
  // A new window may have started between the two.
  const isCounted = before === undefined || after === undefined || after > before || after === before - MISS
  const rule = 'a verify that finds nothing counts as ten requests'
  driver.hold(ABOUT, isCounted, rule, `${rule} (${SOURCE}): ${before} were left before it, ${after} after it`)
  // A third party's server is not flooded until it refuses.
  if (!fixture.target.own) return
  let refused: ApiReply | undefined
  for (let tries = 0; tries <= (2 * PER_MERCHANT) / MISS && refused?.status !== 429; tries++) refused = await miss()
  if (refused) driver.expect(ABOUT, refused, TOO_MANY, 'too many of them', SOURCE, rule)
}

interface Bucket {
  readonly name: string
  readonly of: number
  readonly status: number
  readonly over: { readonly status: number; readonly message: RegExp }
}

/** @returns the first reply beyond the limit; undefined when the machine was too slow to identify it */
async function useUp(
  fixture: DriverFixture,
  driver: PaymentDriver,
  sendRequest: () => Promise<ApiReply>,
  bucket: Bucket,
): Promise<ApiReply | undefined> {
  const { name, of, status, over } = bucket
  const startedAt = performance.now()
  const replies: ApiReply[] = []
  for (let sent = 0; sent <= of; sent++) replies.push(await sendRequest())
  const refused = replies.pop()
  // A new window, and with it a new count, had started by then.
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000)
  if (seconds >= WINDOW_S)
    fixture.notJudged(`the rate limit of ${name}, ${of + 1} requests took ${seconds} s, and its window has ${WINDOW_S}`)
  if (!refused || seconds >= WINDOW_S) return undefined
  for (const [index, reply] of replies.entries()) {
    if (!driver.expect(ABOUT, reply, { status }, `one of ${of} requests of ${name}`, SOURCE)) return undefined
    quota(driver, reply, name, of, of - index - 1)
  }
  driver.expect(ABOUT, refused, over, `one request more than ${of} of ${name}`, SOURCE)
  // The rule "messages" compares it with the seconds of the message.
  const wait = Number(refused.header('retry-after'))
  const isRight = refused.status !== 429 || (wait >= 1 && wait <= WINDOW_S)
  driver.hold(ABOUT, isRight, 'Retry-After', `Retry-After is ${wait}: it must be from 1 to ${WINDOW_S}`)
  return refused
}

/** Both headers, where present: a server may omit them. @param left absent: any number */
function quota(driver: PaymentDriver, reply: ApiReply, name: string, of: number, left?: number): void {
  const [policy, rest] = [reply.header('ratelimit-policy'), reply.header('ratelimit')]
  if (policy !== undefined) {
    const wanted = `"${name}";q=${of};w=${WINDOW_S}`
    driver.hold(ABOUT, policy === wanted, 'RateLimit-Policy', `RateLimit-Policy is ${policy}, expected is ${wanted}`)
  }
  if (rest === undefined) return
  const [, called, r = '', t = '0'] = /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(rest) ?? []
  const isRight =
    called === name && (left === undefined || Number(r) === left) && Number(t) >= 1 && Number(t) <= WINDOW_S
  const wanted = `"${name}";r=${left ?? `0…${of}`};t=1…${WINDOW_S}`
  driver.hold(ABOUT, isRight, 'RateLimit', `RateLimit is ${rest}, expected is ${wanted}`)
}

/** The number of remaining requests; undefined when the reply does not say. */
function restOf(reply: ApiReply): number | undefined {
  const [, r] = /;r=(\d+);/.exec(reply.header('ratelimit') ?? '') ?? []
  return r === undefined ? undefined : Number(r)
}
