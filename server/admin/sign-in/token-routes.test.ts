import { expect, test } from 'vitest'
import { present } from '../../domain/present.ts'
import { hours, signInTest } from './testing/sign-in-test.ts'

const { clock, baseUrl, merchantsUrl, person, setUp, signIn, audited } = await signInTest()

/** Calls the admin API with a token. @returns the status */
const call = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/api/today`, { headers: { authorization: `Bearer ${token}` } })).status

test.each([
  ['staff', baseUrl, undefined],
  ['people of a merchant', merchantsUrl, 1n],
])('%s make a token for a program, see its use and end it', async (_who, url, merchantId) => {
  const someone = await person(`Amina ${url}`, 'finance', merchantId)
  const { browser } = await setUp(someone)
  await browser.get('/account')
  const { body, headers } = await browser.post('/tokens', { name: 'Nightly report', days: '7' })
  const token = present(/class="secret">([\w-]{43})</.exec(body)?.[1], 'the token')
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await browser.get('/account')).body).toContain('not used yet')
  expect(await call(url, token)).toBe(200)
  expect(await call(url === baseUrl ? merchantsUrl : baseUrl, token)).toBe(401)
  const account = (await browser.get('/account')).body
  expect(account).toMatch(/Nightly report\s+<small>made .*, last used /)
  expect(account).not.toContain(token)
  const digest = present(/name="digest" value="([0-9a-f]{64})"/.exec(account)?.[1], 'its name')
  expect((await browser.post('/tokens/end', { digest })).location).toBe('/account')
  expect(await call(url, token)).toBe(401)
  expect((await audited(someone)).slice(-2)).toEqual(['token add', 'token end'])
})

test('a token ends after its time, and is made only after a recent sign-in', async () => {
  const someone = await person('Baraka', 'support')
  const { browser, ...app } = await setUp(someone)
  await browser.get('/account')
  const { body } = await browser.post('/tokens', { name: 'A day', days: '1' })
  const token = present(/class="secret">([\w-]{43})</.exec(body)?.[1], 'the token')
  clock.advance(hours(24))
  expect(await call(baseUrl, token)).toBe(401)
  const later = await signIn(someone, app)
  await later.get('/account')
  clock.advance(6 * 60_000)
  expect((await later.post('/tokens', { name: 'B', days: '1' })).location).toBe('/again?next=%2Faccount')
})
