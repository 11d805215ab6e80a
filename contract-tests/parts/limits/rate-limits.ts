import type { LimitsDriver } from './act.ts'
import { getRequest, type ApiReply } from './requests.ts'
import type { LimitsFixture } from './scene.ts'

/** What the gateway is started with: requests a second, counted over ten. */
export const RATES = { MALIPO_RATE_LIMIT: '20', MALIPO_RATE_LIMIT_ADDRESS: '1' }
const [PER_MERCHANT, PER_ADDRESS, WINDOW_S, MISS] = [200, 10, 10, 10]
const ABOUT = 'rate limits'
const SOURCE = 'docs, page "Errors", What is counted'
const TOO_MANY = { status: 429, message: /^Too many requests: try again in \d+ seconds?$/ }
const TOO_MANY_WRONG = { status: 429, message: /^Too many requests with wrong keys: try again in \d+ seconds?$/ }
const LOOKUP = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
const WALLETS = '/data/wallet-balances?currency=UGX'
const NOBODYS = '/data/transaction/verify/NOBODY-MADE-THIS'

/**
 * Uses up what a client has with wrong keys and with the secret key. That these come back takes real time, whatever the
 * clock shows: what the public key is enough for goes on meanwhile.
 * @returns what waits until they are back
 */
export async function useUpRates(scene: LimitsFixture): Promise<() => Promise<void>> {
  const act = scene.act('so many requests with the secret key')
  const { target } = scene
  const thirdParties = scene.act('so many requests with wrong keys')
  const wrong = (): Promise<ApiReply> => thirdParties.send(getRequest({ publicKey: 'pub_of_nobody' }, LOOKUP))
  const wallets = (): Promise<ApiReply> => act.send(getRequest(target, WALLETS, { 'secret-key': target.secretKey }))
  await useUp(thirdParties, wrong, { name: 'wrong-keys', of: PER_ADDRESS, status: 401, over: TOO_MANY_WRONG })
  const over = await useUp(act, wallets, { name: 'secret-key', of: PER_MERCHANT, status: 200, over: TOO_MANY })
  const right = await thirdParties.send(getRequest(target, LOOKUP))
  thirdParties.expect(ABOUT, right, { status: 200 }, 'right keys after too many wrong ones', SOURCE)
  quota(thirdParties, right, 'public-key', PER_MERCHANT)
  if (over?.status !== 429) return () => Promise.resolve()
  const seconds = Number(over.header('retry-after'))
  const isOver = new Promise((resolve) => setTimeout(resolve, Math.min(seconds || 0, WINDOW_S) * 1_000))
  return async () => {
    await isOver
    act.story.waited(seconds * 1_000)
    act.expect(ABOUT, await wallets(), { status: 200 }, 'a request after as many seconds as Retry-After says', SOURCE)
  }
}

/** A verify that finds nothing counts as ten requests. */
export async function misses(scene: LimitsFixture): Promise<void> {
  const act = scene.act('a verify that finds nothing')
  const miss = (): Promise<ApiReply> => act.send(getRequest(scene.target, NOBODYS))
  const before = restOf(await act.send(getRequest(scene.target, LOOKUP)))
  const after = restOf(await miss())
  // A new window may have begun between the two.
  const isCounted = before === undefined || after === undefined || after > before || after === before - MISS
  const rule = 'a verify that finds nothing counts as ten requests'
  act.hold(ABOUT, isCounted, rule, `${rule} (${SOURCE}): ${before} were left before it, ${after} after it`)
  // Nobody else's server is asked until it refuses.
  if (!scene.target.own) return
  let refused: ApiReply | undefined
  for (let tries = 0; tries <= (2 * PER_MERCHANT) / MISS && refused?.status !== 429; tries++) refused = await miss()
  if (refused) act.expect(ABOUT, refused, TOO_MANY, 'too many of them', SOURCE, rule)
}

interface Bucket {
  readonly name: string
  readonly of: number
  readonly status: number
  readonly over: { readonly status: number; readonly message: RegExp }
}

/** @returns the reply to the first request over it; undefined when the machine was too slow to say which that is */
async function useUp(
  act: LimitsDriver,
  sendRequest: () => Promise<ApiReply>,
  bucket: Bucket,
): Promise<ApiReply | undefined> {
  const { name, of, status, over } = bucket
  const startedAt = performance.now()
  const replies: ApiReply[] = []
  for (let sent = 0; sent <= of; sent++) replies.push(await sendRequest())
  const refused = replies.pop()
  // A new window had begun by then, and with it a new count.
  if (!refused || performance.now() - startedAt > (WINDOW_S - 1) * 1_000) return undefined
  for (const [index, reply] of replies.entries()) {
    if (!act.expect(ABOUT, reply, { status }, `one of ${of} requests of ${name}`, SOURCE)) return undefined
    quota(act, reply, name, of, of - index - 1)
  }
  act.expect(ABOUT, refused, over, `one request more than ${of} of ${name}`, SOURCE)
  if (refused.status === 429) retryAfter(act, refused)
  return refused
}

function retryAfter(act: LimitsDriver, refused: ApiReply): void {
  const seconds = refused.header('retry-after') ?? 'absent'
  const words = /(\d+) seconds?$/.exec(refused.message)?.[1]
  const isRight = Number(seconds) >= 1 && Number(seconds) <= WINDOW_S && seconds === words
  const what = `Retry-After is ${seconds}, and the message says ${words}: expected are both alike, from 1 to ${WINDOW_S}`
  act.hold(ABOUT, isRight, 'Retry-After', what)
}

/** Both headers, where they are there: a server may leave them out. @param left absent: any number */
function quota(act: LimitsDriver, reply: ApiReply, name: string, of: number, left?: number): void {
  const [policy, rest] = [reply.header('ratelimit-policy'), reply.header('ratelimit')]
  if (policy !== undefined) {
    const wanted = `"${name}";q=${of};w=${WINDOW_S}`
    act.hold(ABOUT, policy === wanted, 'RateLimit-Policy', `RateLimit-Policy is ${policy}, expected is ${wanted}`)
  }
  if (rest === undefined) return
  const [, called, r = '', t = '0'] = /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(rest) ?? []
  const isRight =
    called === name && (left === undefined || Number(r) === left) && Number(t) >= 1 && Number(t) <= WINDOW_S
  const wanted = `"${name}";r=${left ?? `0…${of}`};t=1…${WINDOW_S}`
  act.hold(ABOUT, isRight, 'RateLimit', `RateLimit is ${rest}, expected is ${wanted}`)
}

/** How many requests are left; undefined when the reply does not tell. */
function restOf(reply: ApiReply): number | undefined {
  const [, r] = /;r=(\d+);/.exec(reply.header('ratelimit') ?? '') ?? []
  return r === undefined ? undefined : Number(r)
}
