import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { examineAuditLog } from '../queries/audit-chain.ts'
import { isPassword, passwordFault } from './passwords.ts'
import { alertOf, headingOf, hours, PASSWORD, signInTest } from './testing/sign-in-test.ts'

// Sign-in by password and code, through real HTTP and PostgreSQL. README.md names these tests for ASVS.

const { gateway, clock, baseUrl, person, link, browser, setUp, signIn, audited } = await signInTest()
const { pool } = gateway

const WRONG = 'The e-mail address, the password or the code is wrong, or the code was used before.'
const LIMITED = 'Too many attempts from here. Wait 15 minutes, or sign in with a passkey.'
const MINUTES_15_MS = 15 * 60_000

const attempt = async (opened: ReturnType<typeof browser>, email: string, password: string, code = '000000') => {
  await opened.get('/sign-in')
  return opened.post('/sign-in', { email, password, code })
}
/** As if so many more attempts had failed: each real one costs a fifth of a second. */
const failMore = (count: number) => pool.query('update sign_in_failures set failures = failures + $1', [count])
const isSignedIn = async (opened: ReturnType<typeof browser>): Promise<boolean> =>
  (await opened.get('/')).status === 200

test('the sandbox has no default password: its first admin gets a link that works once', async () => {
  const { firstAdminLink } = gateway.admin!
  const path = firstAdminLink!.slice(baseUrl.length)
  expect((await browser().get(path)).body).toContain('Welcome, Sandbox admin')
  const { rows } = await pool.query<{ id: bigint; email: string; merchant_id: null }>(
    `select id, email, merchant_id from people where email = 'admin@sandbox.localhost'`,
  )
  const { firstAdminLink: again } = await import('./first-admin.ts')
  const given = { pool, random: { bytes: (size: number) => Buffer.alloc(size, 7) }, clock }
  expect(await again(given)).toMatch(/^\/link\//)
  await setUp(rows[0]!)
  expect(await again(given)).toBeUndefined()
})

describe('a link', () => {
  test('sets up password, app and recovery codes, and signs in', async () => {
    const amina = await person('Amina')
    const { browser: opened, codes } = await setUp(amina)
    expect(codes).toHaveLength(8)
    expect(codes[0]).toMatch(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/)
    const home = await opened.get('/')
    expect(home.body).toContain('Amina')
    expect(home.body).not.toContain('<code>people invite</code>')
    expect(await audited(amina)).toEqual(['sign-in set up', 'sign in'])
  })

  test('works once, also for two requests at the same time', async () => {
    const baraka = await person('Baraka')
    const path = await link(baraka)
    const [one, other] = [browser(), browser()]
    const code = async (opened: typeof one) => {
      const secret = /class="secret">([A-Z2-7]+)</.exec((await opened.get(path)).body)?.[1] ?? ''
      const { Secret, TOTP } = await import('otpauth')
      return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
    }
    const codes = [await code(one), await code(other)]
    const replies = await Promise.all(
      [one, other].map((opened, n) => opened.post(path, { password: PASSWORD, code: codes[n]! })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(headingOf(await browser().get(path))).toBe('This link is over')
  })

  test('ends after 24 hours, with a newer one, and when its person leaves', async () => {
    const chiku = await person('Chiku')
    const [first, second] = [await link(chiku), await link(chiku)]
    expect((await browser().get(first)).status).toBe(404)
    expect((await browser().get(second)).status).toBe(200)
    clock.advance(hours(24))
    expect((await browser().get(second)).status).toBe(404)
    const third = await link(chiku)
    await pool.query('update people set ended_at = $2 where id = $1', [chiku.id, clock.now()])
    expect((await browser().get(third)).status).toBe(404)
  })

  test('is stored as a digest only', async () => {
    const path = await link(await person('Dalili'))
    const { rows } = await pool.query<{ text: string }>('select t::text as text from sign_in_tokens t')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ text }) => text.includes(path.slice('/link/'.length)))).toEqual([])
  })

  test('of an admin resets everything: old password, codes, passkeys and sessions end', async () => {
    const eshe = await person('Eshe')
    const before = await setUp(eshe)
    const after = await setUp(eshe)
    expect(await isSignedIn(before.browser)).toBe(false)
    clock.advance(60_000)
    expect((await attempt(browser(), eshe.email, PASSWORD, before.code())).status).toBe(401)
    expect(await isSignedIn(await signIn(eshe, after))).toBe(true)
  })
})

describe('a password', () => {
  test.each([
    ['short', /at least 12 characters/],
    ['password1234', /easy to guess/],
    ['qwertyuiop12', /easy to guess/],
    ['malipomalipo', /easy to guess/],
    ['x'.repeat(129), /more than 128/],
  ])('%s is refused', async (password, words) => {
    expect(await passwordFault(password, [])).toMatch(words)
  })

  test('made of the names of its owner is refused', async () => {
    expect(await passwordFault('Wanjiru-Kamau-1', ['Wanjiru Kamau', 'w.kamau@pay.example'])).toMatch(/easy to guess/)
  })

  test.each(['treacle vole seventy orbit', 'ナイロビのとても長い秘密の言葉', `${'aB3 xq-'.repeat(9)}x9Z!`])(
    '%s is taken: any characters, up to 128',
    async (password) => {
      expect(await passwordFault(password, ['Amina'])).toBeUndefined()
    },
  )

  test('is taken exactly as typed: case and spaces count', async () => {
    const farida = await person('Farida')
    const { code } = await setUp(farida)
    for (const other of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `]) {
      clock.advance(60_000)
      expect((await attempt(browser(), farida.email, other, code())).status).toBe(401)
    }
  })

  test('is stored as a salted scrypt hash', async () => {
    const { rows } = await pool.query<{ hash: string }>(
      'select password_hash as hash from sign_in_credentials where password_hash is not null',
    )
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length)
    for (const { hash } of rows) expect(hash).toMatch(/^scrypt\$[\w+/=]{24}\$[\w+/=]{44}$/)
  })

  test('hashed with N = 2^15, r = 8 and p = 3 still opens: the usual cost', async () => {
    const hash = 'scrypt$BwcHBwcHBwcHBwcHBwcHBw==$OdigL5oe8zxq4kU48JBov3O5adnwsPkqp7SzErbVfgI='
    expect(await isPassword(PASSWORD, hash)).toBe(true)
  })

  test('alone opens nothing: the code is asked for with it', async () => {
    const gathoni = await person('Gathoni')
    await setUp(gathoni)
    const opened = browser()
    expect(alertOf(await attempt(opened, gathoni.email, PASSWORD, ''))).toBe(WRONG)
    expect(await isSignedIn(opened)).toBe(false)
  })

  test('field lets password managers work, and hides what is typed', async () => {
    const { body } = await browser().get('/sign-in')
    expect(body).toContain('name="password" type="password" autocomplete="current-password"')
    expect(body).not.toMatch(/onpaste|autocomplete="off"[^>]*type="password"/)
  })
})

describe('a code', () => {
  test('of the app works once, and one step before or after now', async () => {
    const hawa = await person('Hawa')
    const app = await setUp(hawa)
    const early = app.code()
    clock.advance(60_000)
    const [now, opened] = [app.code(), browser()]
    expect((await attempt(opened, hawa.email, PASSWORD, now)).status).toBe(303)
    expect(alertOf(await attempt(browser(), hawa.email, PASSWORD, now))).toBe(WRONG)
    expect(alertOf(await attempt(browser(), hawa.email, PASSWORD, early))).toBe(WRONG)
    clock.advance(60_000)
    const late = app.code()
    clock.advance(30_000)
    expect((await attempt(browser(), hawa.email, PASSWORD, late)).status).toBe(303)
    clock.advance(60_000)
    const tooLate = app.code()
    clock.advance(90_000)
    expect((await attempt(browser(), hawa.email, PASSWORD, tooLate)).status).toBe(401)
  })

  test('for recovery works once, with the password', async () => {
    const imani = await person('Imani')
    const { codes } = await setUp(imani)
    const opened = browser()
    const recover = async (password: string) => {
      await opened.get('/sign-in')
      return opened.post('/sign-in', { email: imani.email, password, code: '', recovery: codes[3]!.toLowerCase() })
    }
    expect((await recover('another password')).status).toBe(401)
    expect((await recover(PASSWORD)).status).toBe(303)
    expect((await recover(PASSWORD)).status).toBe(401)
  })
})

describe('who fails', () => {
  test('reads the same for an unknown account and a wrong password, in the same time', async () => {
    const juma = await person('Juma')
    await setUp(juma)
    const timed = async (email: string) => {
      const [opened, start] = [browser(), performance.now()]
      const { status, body } = await attempt(opened, email, 'not the password')
      const text = body.replaceAll(/data-token="[^"]+"|value="[^"]*"/g, '')
      return { ms: performance.now() - start, status, text }
    }
    const [known, unknown] = [await timed(juma.email), await timed('nobody@pay.example')]
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    // Both hash once, which takes far longer than all the rest; other programs may slow down one of several attempts.
    const [knownAgain, unknownAgain] = [await timed(juma.email), await timed('nobody@pay.example')]
    const [one, other] = [Math.min(known.ms, knownAgain.ms), Math.min(unknown.ms, unknownAgain.ms)]
    expect(Math.max(one, other) / Math.min(one, other)).toBeLessThan(3)
  })

  test('five times from one address waits there; the owner signs in from elsewhere', async () => {
    const kamau = await person('Kamau')
    const app = await setUp(kamau)
    const attacker = browser()
    for (let n = 0; n < 5; n += 1) expect(alertOf(await attempt(attacker, kamau.email, 'not the password'))).toBe(WRONG)
    clock.advance(60_000)
    const limited = await attempt(attacker, kamau.email, PASSWORD, app.code())
    expect([limited.status, alertOf(limited)]).toEqual([429, LIMITED])
    expect(await isSignedIn(await signIn(kamau, app))).toBe(true)
    expect(await audited(kamau)).toEqual(['sign-in set up', 'sign in', 'sign in refused', 'sign in'])
    const { rows } = await pool.query(
      `select actor, role from audit_log where command = 'sign in refused' and subject = $1`,
      [kamau.email],
    )
    expect(rows).toEqual([{ actor: 'nobody', role: null }])
    expect((await examineAuditLog(pool)).examples).toEqual([])
    clock.advance(MINUTES_15_MS)
    expect((await attempt(attacker, kamau.email, PASSWORD, app.code())).status).toBe(303)
  })

  test('from the address of its owner does not lock out the browser that is known', async () => {
    const lulu = await person('Lulu')
    const address = '203.0.113.9'
    const app = await setUp(lulu, browser(address))
    const [attacker, { browser: owner }] = [browser(address), app]
    await attempt(attacker, lulu.email, 'not the password')
    await failMore(4)
    expect((await attempt(attacker, lulu.email, 'not the password')).status).toBe(429)
    await owner.get('/account')
    await owner.post('/sign-out')
    expect(await isSignedIn(await signIn(lulu, app, owner))).toBe(true)
    // The cookie of that browser is of no use for another account.
    const maua = await person('Maua')
    await attempt(owner, maua.email, 'not the password')
    await failMore(4)
    expect((await attempt(owner, maua.email, 'not the password')).status).toBe(429)
  })

  test('many at once are no more than the limit', async () => {
    const nia = await person('Nia')
    const opened = browser()
    await opened.get('/sign-in')
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => opened.post('/sign-in', { email: nia.email, password: 'no', code: '1' })),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
  })

  test('on many accounts from one address waits there', async () => {
    const opened = browser()
    await attempt(opened, 'one@pay.example', 'x')
    await failMore(48)
    expect((await attempt(opened, 'two@pay.example', 'x')).status).toBe(401)
    expect((await attempt(opened, 'three@pay.example', 'x')).status).toBe(429)
  })

  test('on codes 20 times with the right password waits, but for recovery codes', async () => {
    const omari = await person('Omari')
    const app = await setUp(omari)
    await attempt(browser(), omari.email, PASSWORD)
    await failMore(19)
    clock.advance(60_000)
    expect((await attempt(browser(), omari.email, PASSWORD, app.code())).status).toBe(401)
    const opened = browser()
    await opened.get('/sign-in')
    const fields = { email: omari.email, password: PASSWORD, code: '', recovery: app.codes[0]! }
    expect((await opened.post('/sign-in', fields)).status).toBe(303)
  })
})

describe('a form', () => {
  const fields = { email: 'somebody@pay.example', password: 'x', code: '1' }

  test('without its token, or of another browser, does nothing; sign-in included', async () => {
    const [mine, other] = [browser(), browser()]
    await mine.get('/sign-in')
    await other.get('/sign-in')
    for (const token of ['', 'A'.repeat(43)])
      expect((await mine.post('/sign-in', { ...fields, token })).status).toBe(403)
    const { body } = await other.get('/sign-in')
    const token = /data-token="([^"]+)"/.exec(body)?.[1] ?? ''
    expect((await mine.post('/sign-in', { ...fields, token })).status).toBe(403)
    expect((await mine.post('/sign-in', fields)).status).toBe(401)
  })

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('from another site does nothing: %j', async (headers) => {
    const opened = browser()
    await opened.get('/sign-in')
    expect((await opened.post('/sign-in', fields, headers)).status).toBe(403)
  })

  test('leads on to paths of ours only', async () => {
    const pendo = await person('Pendo')
    const app = await setUp(pendo)
    for (const [next, location] of [
      ['/account', '/account'],
      ['https://evil.example/', '/'],
      ['//evil.example/', '/'],
      ['/\\evil.example', '/'],
    ] as const) {
      clock.advance(60_000)
      const opened = browser()
      await opened.get('/sign-in')
      const reply = await opened.post('/sign-in', { email: pendo.email, password: PASSWORD, code: app.code(), next })
      expect(reply.location).toBe(location)
    }
  })
})

test('pages carry the headers that keep scripts, frames and caches out', async () => {
  const { headers } = await browser().get('/sign-in')
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test('another host name leads to ours, and serves nothing', async () => {
  const { port } = new URL(baseUrl)
  const reply = await new Promise<{ status: number | undefined; location: string | undefined }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/sign-in', headers: { host: 'evil.example' } }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, location: answer.headers.location })
    })
      .on('error', reject)
      .end()
  })
  expect(reply).toEqual({ status: 303, location: `${baseUrl}/sign-in` })
})
