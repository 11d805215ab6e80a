import { describe, expect, test } from 'vitest'
import { createAuthenticator } from './testing/authenticator.ts'
import { signInTest, type TestBrowser } from './testing/sign-in-test.ts'

// Passkeys, with an authenticator in software; browser.slow.test.ts has Chromium's.

const { gateway, clock, baseUrl, person, link, browser, setUp, audited } = await signInTest()
const { pool } = gateway

interface JsonReply {
  readonly options: Parameters<ReturnType<typeof createAuthenticator>['authenticate']>[0]
  readonly goTo?: string
  readonly error?: string
}
const read = ({ body }: { readonly body: string }) => JSON.parse(body) as JsonReply
const optionsOf = async (opened: TestBrowser, path = '/passkey', body = {}) =>
  read(await opened.json(`${path}/options`, body)).options

/** A person who has nothing but a passkey, which a link of an admin brought. */
async function withPasskey(name: string, role = 'finance') {
  const someone = await person(name, role)
  const [opened, authenticator] = [browser(), createAuthenticator(baseUrl)]
  const path = await link(someone)
  await opened.get(path)
  const token = path.slice('/link/'.length)
  const options = await optionsOf(opened, '/passkeys', { link: token })
  const reply = await opened.json('/passkeys', {
    link: token,
    response: authenticator.register(options),
    name: 'Phone',
  })
  expect(read(reply)).toEqual({ goTo: '/' })
  return { someone, authenticator, opened, path }
}

const signedInAs = async (opened: TestBrowser): Promise<string | undefined> =>
  /class="account"><p><b>([^<]+)</.exec((await opened.get('/')).body)?.[1]

async function use(
  authenticator: ReturnType<typeof createAuthenticator>,
  deviation: Parameters<typeof authenticator.authenticate>[1] = {},
  opened = browser(),
) {
  await opened.get('/sign-in')
  const response = authenticator.authenticate(await optionsOf(opened), deviation)
  const reply = await opened.json('/passkey', { response })
  return { opened, response, status: reply.status, ...read(reply) }
}

test('a link sets up a passkey alone, once, and it signs in without naming anybody', async () => {
  const { someone, authenticator, opened, path } = await withPasskey('Amina')
  expect(await signedInAs(opened)).toBe('Amina')
  expect((await browser().get(path)).status).toBe(404)
  const { opened: another, goTo } = await use(authenticator)
  expect([goTo, await signedInAs(another)]).toEqual(['/', 'Amina'])
  expect(await audited(someone)).toEqual(['sign-in set up', 'passkey add', 'sign in', 'sign in'])
})

describe('a passkey is refused', () => {
  test.each([
    ['used for another site', { origin: 'https://evil.example' }],
    ['without PIN or biometrics', { isVerified: false }],
    ['for a challenge that is not ours', { challenge: 'A'.repeat(43) }],
  ])('%s', async (_how, deviation) => {
    const { authenticator } = await withPasskey(`Baraka ${Object.keys(deviation).join('')}`)
    const { status, error } = await use(authenticator, deviation)
    expect([status, error]).toEqual([401, 'This passkey is not known here. Use another one, or password and code.'])
  })

  test('when its reply is sent twice, or after five minutes', async () => {
    const { authenticator } = await withPasskey('Chiku')
    const { opened, response } = await use(authenticator)
    await opened.post('/sign-out')
    await opened.get('/sign-in')
    expect((await opened.json('/passkey', { response })).status).toBe(401)
    const options = await optionsOf(opened)
    clock.advance(5 * 60_000)
    expect((await opened.json('/passkey', { response: authenticator.authenticate(options) })).status).toBe(401)
  })

  test('of a person who left', async () => {
    const { someone, authenticator } = await withPasskey('Dalili')
    await pool.query('update people set ended_at = now() where id = $1', [someone.id])
    expect((await use(authenticator)).status).toBe(401)
  })

  test('of another person, where somebody confirms that it is them', async () => {
    const [{ opened }, other] = [await withPasskey('Eshe'), await withPasskey('Farida')]
    await opened.get('/again')
    const response = other.authenticator.authenticate(await optionsOf(opened))
    expect((await opened.json('/passkey', { response })).status).toBe(401)
    expect(await signedInAs(opened)).toBe('Eshe')
  })

  test('without the token of our own page', async () => {
    const opened = browser()
    await opened.get('/sign-in')
    expect((await opened.json('/passkey/options', {}, { 'x-form-token': 'x' })).status).toBe(403)
    expect((await opened.json('/passkey/options', {}, { origin: 'https://evil.example' })).status).toBe(403)
  })
})

test('who is signed in adds and removes a passkey only after a recent sign-in', async () => {
  const gathoni = await person('Gathoni')
  const { browser: opened, code } = await setUp(gathoni)
  const authenticator = createAuthenticator(baseUrl)
  await opened.get('/account')
  const options = await optionsOf(opened, '/passkeys')
  clock.advance(5 * 60_000 + 1)
  const response = authenticator.register(options)
  expect((await opened.json('/passkeys', { response })).status).toBe(401)
  expect(read(await opened.json('/passkeys/options', {}))).toEqual({ goTo: '/again?next=%2Faccount' })
  await opened.get('/again?next=%2Faccount')
  const again = await opened.post('/again', { password: 'treacle vole seventy orbit', code: code(), next: '/account' })
  expect(again.location).toBe('/account')
  await opened.get('/account')
  const fresh = authenticator.register(await optionsOf(opened, '/passkeys'))
  expect(read(await opened.json('/passkeys', { response: fresh, name: '<Laptop>' }))).toEqual({ goTo: '/account' })
  expect((await opened.get('/account')).body).toContain('&#60;Laptop&#62;')
  expect((await use(authenticator)).goTo).toBe('/')
  await opened.get('/account')
  await opened.post('/passkeys/remove', { id: fresh.id })
  expect((await use(authenticator)).status).toBe(401)
  expect((await audited(gathoni)).slice(-3)).toEqual(['passkey add', 'sign in', 'passkey remove'])
})

test('one address begins 300 sign-ins by passkey in 15 minutes', async () => {
  const opened = browser()
  await opened.get('/sign-in')
  await opened.json('/passkey/options', {})
  await pool.query('update sign_in_failures set failures = failures + 299')
  expect((await opened.json('/passkey/options', {})).status).toBe(429)
})
