import { describe, expect, test } from 'vitest'
import { withoutAudit } from '../../storage/audited-pool.ts'
import { endSessionsOf } from '../queries/end-sessions.ts'
import { changeRole, endAccess, invitePerson } from '../queries/people.ts'
import { cookieHeader, readCookie } from './browser-state.ts'
import { hours, PASSWORD, signInTest, type TestBrowser } from './testing/sign-in-test.ts'
import { browserName } from './visit.ts'

const { gateway, clock, person, link, browser, setUp, signIn, audited } = await signInTest()
const { pool } = gateway
const MINUTE_MS = 60_000
const SCOPE = { isSecure: true, audience: 'staff' } as const

const isSignedIn = async (opened: TestBrowser): Promise<boolean> => (await opened.get('/')).status === 200

/** A browser that holds a copy of all cookies of another one. */
function copyOf(opened: TestBrowser): TestBrowser {
  const copy = browser()
  for (const [name, value] of opened.cookies) copy.cookies.set(name, value)
  return copy
}

describe('a session', () => {
  test('ends after 30 minutes without use', async () => {
    const { browser: opened } = await setUp(await person('Amina'))
    clock.advance(29 * MINUTE_MS)
    expect(await isSignedIn(opened)).toBe(true)
    clock.advance(29 * MINUTE_MS)
    expect(await isSignedIn(opened)).toBe(true)
    clock.advance(30 * MINUTE_MS + 1)
    const reply = await opened.get('/account')
    expect([reply.status, reply.location]).toEqual([303, '/sign-in?next=%2Faccount'])
  })

  test('ends after twelve hours, however much it is used', async () => {
    const { browser: opened } = await setUp(await person('Baraka'))
    for (let n = 0; n < 35; n += 1) {
      clock.advance(20 * MINUTE_MS)
      expect(await isSignedIn(opened)).toBe(true)
    }
    clock.advance(20 * MINUTE_MS)
    expect(await isSignedIn(opened)).toBe(false)
  })

  test('has 256 random bits, of which the database knows a digest', async () => {
    const { browser: opened } = await setUp(await person('Chiku'))
    const token = opened.cookies.get('malipo_session') ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    const { rows } = await pool.query<{ text: string }>('select s::text as text from sessions s')
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([])
    const digest = Buffer.from(token, 'base64url').toString('hex')
    expect(rows.filter(({ text }) => text.includes(digest))).toEqual([])
  })

  test('has a cookie that no script reads and no other site sends', async () => {
    const dalili = await person('Dalili')
    const { code } = await setUp(dalili)
    clock.advance(MINUTE_MS)
    const opened = browser()
    await opened.get('/sign-in')
    const { headers } = await opened.post('/sign-in', { email: dalili.email, password: PASSWORD, code: code() })
    const cookie = headers.getSetCookie().find((line) => line.startsWith('malipo_session='))
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  test('gets a new token at each sign-in, and the former one is worth nothing', async () => {
    const eshe = await person('Eshe')
    const { browser: opened, code } = await setUp(eshe)
    const former = copyOf(opened)
    clock.advance(6 * MINUTE_MS)
    await opened.get('/again?next=%2Faccount')
    await opened.post('/again', { password: PASSWORD, code: code(), next: '/account' })
    expect([await isSignedIn(opened), await isSignedIn(former)]).toEqual([true, false])
    // A token that somebody planted before the sign-in does not become a session.
    const planted = browser()
    planted.cookies.set('malipo_session', 'A'.repeat(43))
    expect(await isSignedIn(planted)).toBe(false)
  })

  test('ends at sign-out, on the server too', async () => {
    const farida = await person('Farida')
    const { browser: opened } = await setUp(farida)
    const copy = copyOf(opened)
    const home = await opened.get('/')
    expect(home.body).toContain('action="/sign-out"')
    const reply = await opened.post('/sign-out')
    expect([reply.location, reply.headers.get('clear-site-data')]).toEqual(['/sign-in', '"cache"'])
    expect(await isSignedIn(copy)).toBe(false)
    expect((await audited(farida)).at(-1)).toBe('sign out')
  })

  test('ends when its person leaves, or gets another role, whoever changes it', async () => {
    for (const change of [`ended_at = now()`, `role = 'support'`]) {
      const gathoni = await person(`Gathoni ${change.slice(0, 4)}`)
      const { browser: opened } = await setUp(gathoni)
      await pool.query(`update people set ${change} where id = $1`, [gathoni.id])
      expect(await isSignedIn(opened)).toBe(false)
    }
  })

  test('is deleted with the role or the access of its person, links too', async () => {
    for (const lose of [
      (id: bigint) => changeRole(withoutAudit(pool), id, 'support'),
      (id: bigint) => endAccess(withoutAudit(pool), id, clock.now()),
    ]) {
      const gone = await person(`Halima ${String(lose).length}`)
      await setUp(gone)
      await link(gone, 'reset')
      await lose(gone.id)
      const { rows } = await pool.query(
        `select from sessions where person_id = $1 union all select from sign_in_tokens where person_id = $1`,
        [gone.id],
      )
      expect(rows).toEqual([])
    }
  })

  test('needs a new sign-in where its person gets access again', async () => {
    const jabali = await person('Jabali')
    const { code } = await setUp(jabali)
    await endAccess(withoutAudit(pool), jabali.id, clock.now())
    const again = { email: jabali.email, name: 'Jabali', role: 'finance', merchantId: null } as const
    await invitePerson(withoutAudit(pool), again, clock.now())
    clock.advance(MINUTE_MS)
    const opened = browser()
    await opened.get('/sign-in')
    const { status } = await opened.post('/sign-in', { email: jabali.email, password: PASSWORD, code: code() })
    expect(status).not.toBe(303)
  })

  test('ends with all others of its person where an admin ends them', async () => {
    const hawa = await person('Hawa')
    const { browser: opened, ...app } = await setUp(hawa)
    const other = await signIn(hawa, app)
    await endSessionsOf(pool, hawa.id)
    expect([await isSignedIn(opened), await isSignedIn(other)]).toEqual([false, false])
  })

  test('is one of ten at most: the eleventh sign-in ends the oldest', async () => {
    const imani = await person('Imani')
    const { browser: oldest, ...app } = await setUp(imani)
    await pool.query(
      `insert into sessions (digest, person_id, role, created_at, authenticated_at, seen_at, address, browser)
       select sha256(n::text::bytea), $1, 'finance', $2, $2, $2, '', '' from generate_series(1, 9) n`,
      [imani.id, clock.now()],
    )
    expect(await isSignedIn(oldest)).toBe(true)
    await signIn(imani, app)
    expect(await isSignedIn(oldest)).toBe(false)
  })
})

describe('the list of sessions', () => {
  test('lets its owner end one or all others, after a recent sign-in', async () => {
    const juma = await person('Juma')
    const { browser: first, ...app } = await setUp(juma, browser('203.0.113.77'))
    const second = await signIn(juma, app)
    const third = await signIn(juma, app)
    const { body } = await third.get('/account')
    expect(body).toContain('Firefox on Linux')
    expect(body).toContain('from 203.0.113.77')
    const [newest] = [...body.matchAll(/name="id" value="(\d+)"/g)].map(([, id = '']) => id)
    await third.post('/sessions/end', { id: newest! })
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, false])
    clock.advance(5 * MINUTE_MS + 1)
    await third.get('/account')
    expect((await third.post('/sessions/end-others')).location).toBe('/again?next=%2Faccount')
    expect(await isSignedIn(first)).toBe(true)
    await third.get('/again')
    await third.post('/again', { password: PASSWORD, code: app.code() })
    await third.get('/account')
    expect((await third.post('/sessions/end-others')).location).toBe('/account')
    expect([await isSignedIn(first), await isSignedIn(third)]).toEqual([false, true])
  })

  test('ends no session of anybody else', async () => {
    const [{ browser: kamau }, { browser: lulu }] = [
      await setUp(await person('Kamau')),
      await setUp(await person('Lulu')),
    ]
    const { rows } = await pool.query<{ id: bigint }>('select max(id) as id from sessions')
    await kamau.get('/account')
    await kamau.post('/sessions/end', { id: String(rows[0]!.id) })
    expect(await isSignedIn(lulu)).toBe(true)
  })
})

test('a new password asks for the current one, and ends all other sessions', async () => {
  const maua = await person('Maua')
  const { browser: opened, ...app } = await setUp(maua)
  const other = await signIn(maua, app)
  await opened.get('/account')
  const { location = '' } = await opened.post('/renew')
  expect((await other.get(location)).status).toBe(200)
  expect((await browser().get(location)).status).toBe(404)
  const { body } = await opened.get(location)
  const { Secret, TOTP } = await import('otpauth')
  const secret = Secret.fromBase32(/class="secret">([A-Z2-7]+)</.exec(body)?.[1] ?? '')
  const fields = {
    password: 'gravel lantern pilot eleven',
    code: new TOTP({ secret }).generate({ timestamp: clock.now().getTime() }),
  }
  const wrong = await opened.post(location, { ...fields, current: 'not the password' })
  expect(wrong.body).toContain('The current password is wrong.')
  expect((await opened.post(location, { ...fields, current: PASSWORD })).status).toBe(200)
  expect([await isSignedIn(opened), await isSignedIn(other)]).toEqual([true, false])
})

test('cookies over https are of this host alone, and read under that name only', () => {
  expect(cookieHeader('session', 'x', SCOPE)).toBe('__Host-malipo_session=x; Path=/; HttpOnly; Secure; SameSite=Strict')
  expect(readCookie({ cookie: 'malipo_session=planted; __Host-malipo_session=ours' }, 'session', SCOPE)).toBe('ours')
  expect(readCookie({ cookie: 'malipo_session=planted' }, 'session', SCOPE)).toBeUndefined()
})

test('pages need a session, and forms lead to the sign-in without one', async () => {
  for (const path of ['/', '/account', '/again']) expect((await browser().get(path)).location).toMatch(/^\/sign-in\?/)
  for (const path of ['/sign-out', '/renew', '/sessions/end', '/sessions/end-others', '/passkeys/remove'])
    expect((await browser().post(path)).location).toBe('/sign-in?next=%2Faccount')
})

test("a merchant's people see what they may do there, not what staff may", async () => {
  const { rows } = await pool.query<{ id: bigint }>('select id from merchants limit 1')
  const { browser: opened } = await setUp(await person('Nia', 'owner', rows[0]!.id))
  const { body } = await opened.get('/')
  expect(body).toContain('<b>Nia</b><span>owner')
  expect(body).toContain('href="/keys"')
  expect(body).not.toContain('href="/rails"')
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1', 'Safari on iPhone'],
  ['curl/8', 'Another browser on an unknown system'],
])('%s is %s', (userAgent, name) => expect(browserName(userAgent)).toBe(name))

test('sessions, links and counts that are over are deleted', async () => {
  const { removeExpired } = await import('../../storage/housekeeping.ts')
  await setUp(await person('Omari'))
  clock.advance(hours(25))
  await removeExpired(pool, clock.now())
  const { rows } = await pool.query<{ left: bigint }>(
    `select (select count(*) from sessions) + (select count(*) from sign_in_tokens)
       + (select count(*) from sign_in_failures) as left`,
  )
  expect(rows[0]?.left).toBe(0n)
})
