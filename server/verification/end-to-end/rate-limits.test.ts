import { describe, expect, test } from 'vitest'
import { DEMO_KEYS, startTestGateway, fixedClock } from '../testing/gateway.ts'
import { collect, send, verify, type RawReply } from '../testing/requests.ts'
import { expectError } from '../testing/expect-error.ts'
import { databaseTest } from '../testing/database-test.ts'
import { refusal } from '../testing/refusal.ts'

// A client that sends too many requests is limited, and no other client is.

const { connection } = await databaseTest()
const clock = fixedClock()

const PROVIDERS = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'

describe('rate limits', () => {
  const WALLETS = '/data/wallet-balances'
  const overLimit = (reply: RawReply, message = /^Too many requests: try again in \d+ seconds?$/) => {
    expectError(reply, 429, reply.body.message)
    expect(reply.body.message).toMatch(message)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  const statusesOf = (replies: readonly { readonly status: number }[]) =>
    replies.map(({ status }) => status).toSorted((a, b) => a - b)
  /** A gateway that allows ten requests of each kind in ten seconds. */
  async function onLimited(run: (url: string) => Promise<void>, env: Record<string, string> = {}): Promise<void> {
    const limited = await startTestGateway({
      connection,
      surroundings: { clock },
      env: { MALIPO_RATE_LIMIT: '1', MALIPO_RATE_LIMIT_ADDRESS: '1', ...env },
    })
    try {
      await run(limited.url)
    } finally {
      await limited.stop()
    }
  }
  const many = <Reply>(count: number, request: (n: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: count }, (_, n) => request(n)))

  test('over the limit: 429 with Retry-After, per merchant', () =>
    onLimited(async (url) => {
      expect(new Set(statusesOf(await many(10, () => send(url, 'GET', PROVIDERS))))).toEqual(new Set([200]))
      overLimit(await send(url, 'GET', PROVIDERS))
    }))
  // Requests that need the secret key have a bucket of their own.
  test('the public key alone cannot starve payouts', () =>
    onLimited(async (url) => {
      const replies = await many(30, () => send(url, 'GET', PROVIDERS))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
      // Nor with a wrong secret key: such a request does not count as the merchant's.
      await many(30, () => send(url, 'GET', WALLETS, { headers: { 'secret-key': 'sec_guessed' } }))
      const own = await many(11, () => send(url, 'GET', WALLETS, { headers: DEMO_KEYS }))
      expect(statusesOf(own)).toEqual([...Array<number>(10).fill(200), 429])
    }))
  test('a miss of verify counts ten, so that guessing references has a tenth of the rate', () =>
    onLimited(async (url) => {
      expectError(
        await verify(url, 'GUESSED-0001'),
        404,
        refusal('transaction_unknown', { 'ORDER-2026-0404': 'GUESSED-0001' }),
      )
      overLimit(await verify(url, 'GUESSED-0002'))
      expect((await send(url, 'GET', WALLETS, { headers: DEMO_KEYS })).status).toBe(200)
    }))
  test('an address that guesses payment pages gets a 429 page; existing pages still open', () =>
    onLimited(async (url) => {
      const { data } = (await collect(url, { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' })).body
      const guesses = await many(12, (n) =>
        fetch(`${url}/pay/collection/MLP0000000000000000000${String(n).padStart(3, '0')}${n % 2 ? '/status' : ''}`),
      )
      expect(statusesOf(guesses)).toEqual([...Array<number>(10).fill(404), 429, 429])
      const page = await fetch(`${url}/pay/collection/MLP0000000000000000000000`)
      expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(await page.text()).toMatch(/<h1>Too many wrong links<\/h1>[^]*Wait \d+ seconds?, then open the link again/)
      expect((await fetch(String(data.payment_url))).status).toBe(200)
    }))
  describe('behind a proxy', () => {
    const from = (url: string, address: string) =>
      send(url, 'GET', PROVIDERS, { headers: { 'public-key': 'pub_unknown', 'x-forwarded-for': address } })
    test('each client of a trusted proxy has a bucket; claimed addresses do not count', () =>
      onLimited(
        async (url) => {
          await many(10, (n) => from(url, `198.51.100.${n}, 203.0.113.7`))
          expect((await from(url, '203.0.113.7')).status).toBe(429)
          expect((await from(url, '203.0.113.8')).status).toBe(401)
        },
        { MALIPO_TRUSTED_PROXIES: '127.0.0.0/8, ::1' },
      ))
    test('that is not trusted, X-Forwarded-For is ignored', () =>
      onLimited(async (url) => {
        await many(10, (n) => from(url, `203.0.113.${n}`))
        expect((await from(url, '203.0.113.99')).status).toBe(429)
      }))
  })
})
