import { expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { startFailingHttp } from '../verification/testing/failing-http.ts'
import { DEMO_KEYS } from '../verification/testing/gateway.ts'

const WALLETS = '/data/wallet-balances'
/** The number of requests with wrong keys that an address may send in ten seconds. */
const POINTS = 10

/** One merchant, and a count of the lookups in the database. */
async function gateway(isKnown: boolean, fault?: Error) {
  const lookUps: string[] = []
  const { merchant, ...http } = await startFailingHttp('limit', {
    isKnownKey: (publicKey) => isKnown && publicKey === DEMO_KEYS['public-key'],
    async merchantByPublicKey(publicKey) {
      const isAtHand = isKnown && publicKey === DEMO_KEYS['public-key']
      if (!isAtHand) lookUps.push(publicKey)
      if (fault) throw fault
      return publicKey === DEMO_KEYS['public-key'] ? merchant : undefined
    },
  })
  onTestFinished(() => http.stop())
  const sendRequest = async (keys: Readonly<Record<string, string>>): Promise<number> => {
    const headers = { 'x-api-version': '1', ...keys }
    const reply = await fetch(`${http.url}${WALLETS}`, { headers })
    await reply.text()
    return reply.status
  }
  return { ask: sendRequest, lookUps }
}

const count = (statuses: readonly number[], status: number): number => statuses.filter((one) => one === status).length

test("looks up no unknown key over its address's limit, however many come at once", async () => {
  const { ask: request, lookUps } = await gateway(true)
  const unknown = (n: number) => request({ 'public-key': `pub_${n}`, 'secret-key': 'sec_guessed' })
  const statuses = await Promise.all(Array.from({ length: 100 }, (_, n) => unknown(n)))
  expect([count(statuses, 401), count(statuses, 429), lookUps.length]).toEqual([POINTS, 100 - POINTS, POINTS])
  expect(await unknown(100)).toBe(429)
  expect(await request({ ...DEMO_KEYS, 'secret-key': 'sec_guessed' })).toBe(429)
  expect(lookUps).toHaveLength(POINTS)
  // A merchant that is cached here is accepted anyway.
  expect(await request(DEMO_KEYS)).toBe(500)
})

test.each([
  ['an unknown public key', { 'public-key': 'pub_unknown', 'secret-key': 'sec_guessed' }, 1],
  ['an unknown public key alone', { 'public-key': 'pub_unknown' }, 1],
  ['a wrong secret key', { ...DEMO_KEYS, 'secret-key': 'sec_guessed' }, 1],
  ['a known public key alone', { 'public-key': DEMO_KEYS['public-key'] }, 1],
  ['no public key', { 'secret-key': 'sec_guessed' }, 0],
])('a request with %s takes the same lookups as any other refusal', async (_keys, keys, lookUpsMade) => {
  const { ask, lookUps } = await gateway(true)
  expect(await ask(keys)).toBe(401)
  expect(lookUps).toHaveLength(lookUpsMade)
})

test('right keys that were unknown here cost their address nothing', async () => {
  const { ask: request, lookUps } = await gateway(false)
  for (let n = 0; n < 8; n += 1) expect(await request(DEMO_KEYS)).toBe(500)
  expect(lookUps).toHaveLength(8)
  for (let n = 0; n < POINTS; n += 1) expect(await request({ 'public-key': `pub_${n}` })).toBe(401)
  expect(await request({ 'public-key': 'pub_last' })).toBe(429)
})

test('keys that cannot be looked up cost their address nothing', async () => {
  const { ask: request } = await gateway(false, new StorageUnavailable(new Error('connect ECONNREFUSED')))
  for (let n = 0; n < 2 * POINTS; n += 1) expect(await request(DEMO_KEYS)).toBe(503)
})

test('answers 503, not "wrong", for keys that cannot be looked up, alone or both', async () => {
  let requested = 0
  const http = await startFailingHttp('storage', {
    merchantByPublicKey: async () => {
      requested += 1
      throw new StorageUnavailable(new Error('connect ECONNREFUSED'))
    },
  })
  try {
    for (const path of ['/data/payment-providers?currency=UGX&transaction_type=PAYOUT', '/data/wallet-balances']) {
      const reply = await fetch(`${http.url}${path}`, {
        headers: { ...DEMO_KEYS, 'x-api-version': '1', 'accept-language': 'en' },
      })
      expect([path, reply.status, reply.headers.has('retry-after')]).toEqual([path, 503, true])
    }
    expect(requested).toBe(2)
  } finally {
    await http.stop()
  }
})
