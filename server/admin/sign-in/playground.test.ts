import { expect, test } from 'vitest'
import { signInTest } from './testing/sign-in-test.ts'

const open = await signInTest()
const closed = await signInTest({ MALIPO_ADMIN_HOST: '0.0.0.0' })

test('whoever sits at the machine of a sandbox enters as somebody without a sign-in', async () => {
  const support = await open.person('Sifa', 'support')
  const { browser: settled } = await open.setUp(await open.person('Zuri', 'admin'))
  expect((await settled.get('/')).status).toBe(200)
  const browser = open.browser()
  const { body } = await browser.get('/sign-in')
  expect(body).toContain('Enter as Sifa, support')
  expect(body).not.toContain('Enter as Zuri')
  expect((await browser.post('/try', { id: String(support.id), next: '/' })).location).toBe('/')
  expect((await browser.get('/')).body).toContain('<b>Sifa</b>')
  open.clock.advance(10 * 60_000)
  expect((await browser.post('/sessions/end-others')).location).toBe('/account')
  expect(await open.audited(support)).toEqual(['sign in', 'sessions end'])
})

test('enters as nobody who is not offered', async () => {
  const zawadi = await open.person('Zawadi', 'admin')
  await open.setUp(zawadi)
  const owner = await open.person('Oluchi', 'owner', 1n)
  const browser = open.browser()
  await browser.get('/sign-in')
  for (const { id } of [zawadi, owner])
    expect((await browser.post('/try', { id: String(id) })).location).toBe('/sign-in')
  expect((await browser.get('/')).status).toBe(303)
})

test('a sandbox that others reach has no such way in', async () => {
  const admin = await closed.person('Faraja', 'admin')
  const browser = closed.browser()
  expect((await browser.get('/sign-in')).body).not.toContain('Look around')
  expect((await browser.post('/try', { id: String(admin.id) })).location).toBe('/sign-in')
  expect((await browser.get('/')).status).toBe(303)
})
