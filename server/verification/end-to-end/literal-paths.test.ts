import { expect, test } from 'vitest'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { refusal } from '../testing/refusal.ts'

const { gateway } = await gatewayTest()

const PATHS = [
  '/health/live',
  '/docs/',
  '/openapi.json',
  '/.well-known/malipo-rsa.pem',
  '/sandbox/inbox',
  '/data/payment-providers?currency=UGX&transaction_type=COLLECTION',
]
/** The path with one letter of each fixed segment percent-encoded. */
const encodings = (path: string): readonly string[] => {
  const [fixed = '', query] = path.split('?')
  return [...fixed].flatMap((letter, place) =>
    /[a-z.-]/.test(letter)
      ? [
          `${fixed.slice(0, place)}%${letter.charCodeAt(0).toString(16)}${fixed.slice(place + 1)}${query === undefined ? '' : `?${query}`}`,
        ]
      : [],
  )
}
const statusOf = async (path: string, method = 'GET') =>
  (await fetch(`${gateway.url}${path}`, { method, headers: { ...DEMO_KEYS, 'x-api-version': '1' } })).status

test.each(PATHS)('serves %s as it is written and under no encoding of its letters', async (path) => {
  expect(await statusOf(path)).toBe(200)
  for (const encoded of encodings(path)) expect([encoded, await statusOf(encoded)]).toEqual([encoded, 404])
})

test.each(['/%6fperators/kenya/token/order', '/operators%2Fkenya/token/order', '/%70ay/collection/MLP0/approve'])(
  'leads nowhere at %s, which a rule of a proxy would not match',
  async (path) => {
    expect(await statusOf(path, 'POST')).toBe(404)
  },
)

test('decodes an encoded parameter', async () => {
  const response = await fetch(`${gateway.url}/data/transaction/verify/NO%2DSUCH%2DREFERENCE`, {
    headers: { ...DEMO_KEYS, 'x-api-version': '1' },
  })
  expect(await response.json()).toMatchObject({
    message: refusal('transaction_unknown', { 'ORDER-2026-0404': 'NO-SUCH-REFERENCE' }),
  })
})
