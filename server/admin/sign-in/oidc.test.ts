import { describe, expect, test } from 'vitest'
import { forFile } from '../../verification/testing/for-file.ts'
import { CLIENT, startIdentityProvider } from './testing/identity-provider.ts'
import { headingOf, signInTest, type TestBrowser } from './testing/sign-in-test.ts'

const provider = await forFile(startIdentityProvider())
const { baseUrl, clock, person, browser, setUp, audited, gateway } = await signInTest({
  MALIPO_OIDC_ISSUER: provider.url,
  MALIPO_OIDC_CLIENT_ID: CLIENT.id,
  MALIPO_OIDC_CLIENT_SECRET: CLIENT.secret,
})
const fromElsewhere = { 'sec-fetch-site': 'cross-site' }

type Login = Parameters<typeof provider.signIn>[1]

async function login(who: Login, how?: Parameters<typeof provider.signIn>[2], opened = browser(), again = 'no') {
  const page = await opened.get(`/${again === 'yes' ? 'again' : 'sign-in'}?next=%2Fapprovals`)
  const [, link = ''] = /href="(\/oidc\?[^"]+)"/.exec(page.body) ?? []
  const { location = '' } = await opened.get(link.replaceAll('&#61;', '=').replaceAll('&#38;', '&'))
  const { path, query } = provider.signIn(location, who, how)
  return { opened, path, query, reply: await opened.get(path, fromElsewhere) }
}
const isSignedIn = async (opened: TestBrowser): Promise<boolean> => (await opened.get('/')).status === 200
const REFUSED = 'No access with this account'

test('the company account signs in by its verified address, with PKCE, state and nonce', async () => {
  const amina = await person('Amina')
  const { opened, query, reply } = await login({ sub: 'a-1', email: amina.email.toUpperCase() })
  expect(headingOf(reply)).toBe('Signed in')
  expect(reply.body).toContain('<a class="button primary" href="/approvals">')
  expect(await isSignedIn(opened)).toBe(true)
  expect(Object.fromEntries(query)).toMatchObject({
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: `${baseUrl}/oidc/callback`,
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(await audited(amina)).toEqual(['sign in'])
  expect((await browser().get('/sign-in')).body).toContain('Use your company account')
})

test('an address outside the ID token is asked for, and only of the same subject', async () => {
  const gift = await person('Gift')
  const wrong = await login({ sub: 'g-1', email: gift.email }, { toldOf: 'g-2' })
  expect(wrong.reply.status).toBe(403)
  const unverified = await login({ sub: 'g-1', email: gift.email, email_verified: false }, { toldOf: 'g-1' })
  expect(unverified.reply.status).toBe(403)
  const { reply } = await login({ sub: 'g-1', email: gift.email }, { toldOf: 'g-1' })
  expect(headingOf(reply)).toBe('Signed in')
})

const { email } = await person('Baraka')

describe('a login is refused', () => {
  test.each<[string, Partial<Login>, Parameters<typeof provider.signIn>[2]]>([
    ['of an address that nobody has', { email: 'nobody@pay.example' }, {}],
    ['of an address that is not verified', { email_verified: false }, {}],
    ['of an address that is verified only in words', { email_verified: 'true' }, {}],
    ['with the nonce of another login', {}, { claims: { nonce: 'another' } }],
    ['of another issuer', {}, { claims: { iss: 'https://evil.example' } }],
    ['for another client', {}, { claims: { aud: 'another' } }],
    ['that has expired', {}, { claims: { exp: 1 } }],
    ['without a signature', {}, { signature: 'none' }],
    ['with the signature of another key', {}, { signature: 'other key' }],
  ])('%s', async (_how, changes, deviation) => {
    const { opened, reply } = await login({ sub: 'b-1', email, ...changes }, deviation)
    expect([reply.status, headingOf(reply)]).toEqual([403, REFUSED])
    expect(await isSignedIn(opened)).toBe(false)
  })

  test('in another browser than the one that began it', async () => {
    const [opened, other] = [browser(), browser()]
    const { location = '' } = await opened.get('/oidc')
    await other.get('/sign-in')
    const { path } = provider.signIn(location, { sub: 'b-1', email })
    expect((await other.get(path, fromElsewhere)).status).toBe(403)
    expect(await isSignedIn(other)).toBe(false)
  })

  test('when it comes twice, or without a state of ours', async () => {
    const { opened, path, reply } = await login({ sub: 'b-1', email })
    expect(reply.status).toBe(200)
    expect((await opened.get(path, fromElsewhere)).status).toBe(403)
    expect((await opened.get('/oidc/callback?code=x&state=y', fromElsewhere)).status).toBe(403)
  })

  test('when another account comes with an address that was bound before', async () => {
    const chiku = await person('Chiku')
    expect((await login({ sub: 'c-1', email: chiku.email })).reply.status).toBe(200)
    expect((await login({ sub: 'c-2', email: chiku.email })).reply.status).toBe(403)
  })

  test('of a person who left', async () => {
    const dalili = await person('Dalili')
    await gateway.pool.query('update people set ended_at = now() where id = $1', [dalili.id])
    expect((await login({ sub: 'd-1', email: dalili.email })).reply.status).toBe(403)
  })
})

test('confirms a person by a recent sign-in there, not by an old one or of another', async () => {
  const [eshe, farida] = [await person('Eshe'), await person('Farida')]
  const { browser: opened } = await setUp(eshe)
  clock.advance(6 * 60_000)
  const endOthers = async () => {
    await opened.get('/account')
    return (await opened.post('/sessions/end-others')).location
  }
  expect(await endOthers()).toBe('/again?next=%2Faccount')
  const old = await login({ sub: 'e-1', email: eshe.email, age: 3_600 }, {}, opened, 'yes')
  expect(old.reply.status).toBe(403)
  const other = await login({ sub: 'f-1', email: farida.email }, {}, opened, 'yes')
  expect(other.reply.status).toBe(403)
  expect(await endOthers()).toBe('/again?next=%2Faccount')
  const { query, reply } = await login({ sub: 'e-1', email: eshe.email }, {}, opened, 'yes')
  expect([reply.status, query.get('max_age'), query.get('prompt')]).toEqual([200, '0', 'login'])
  expect(await endOthers()).toBe('/account')
})
