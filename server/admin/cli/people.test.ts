import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'
import { json, malipo, type Environment } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'

const { path, written } = temporaryFolder()
const REASON = ['--reason', 'Ticket 4711']
const RATE = ['rate', 'set', 'USD', 'UGX', '3800', ...REASON]

interface Entry {
  readonly command: string
  readonly actor: string
  readonly role?: string
  readonly reason?: string
}

/** The command line of each person, on a database of its own. */
async function office(mode: 'sandbox' | 'live') {
  const database = await databaseTest(mode === 'live' ? { template: 'template0' } : {})
  const env: Environment = {
    ...environmentOf(database),
    ...(mode === 'live' && { MALIPO_MODE: 'live', PUBLIC_BASE_URL: 'https://pay.example' }),
  }
  if (mode === 'live') await json(['migrate'], env)
  const of = (name: string): Environment => ({ ...env, XDG_CONFIG_HOME: join(path, `${mode}-${name}`) })
  const login = async (name: string, code: string, ...options: string[]) => json(['login', code, ...options], of(name))
  const firstAdmin = async (email: string) =>
    (await json<{ login_code: string }>(['people', 'first-admin', email], env)).login_code
  return {
    ...database,
    env,
    of,
    login,
    /** Invites by Amina, and logs in. */
    async hire(name: string, role: string): Promise<Environment> {
      const args = ['people', 'invite', `${name}@malipo.example`, '--name', name, '--role', role, ...REASON]
      await login(name, (await json<{ login_code: string }>(args, of('amina'))).login_code)
      return of(name)
    },
    firstAdmin,
    newest: async () => (await json<Entry[]>(['audit', 'list', '--limit', '1'], env))[0],
  }
}

describe('in the sandbox', async () => {
  const { firstAdmin, login, hire, of, env, newest } = await office('sandbox')
  await login('amina', await firstAdmin('Amina@Malipo.example'))

  test('the first admin logs in with a one-time code, once', async () => {
    expect(await json(['whoami'], of('amina'))).toMatchObject({
      email: 'amina@malipo.example',
      role: 'admin',
      kind: 'staff',
    })
    expect((await malipo(['people', 'first-admin', 'ali@malipo.example'], env)).err).toMatch(
      /there is an admin already/,
    )
    const args = ['people', 'invite', 'once@malipo.example', '--name', 'Once', '--role', 'read-only', ...REASON]
    const { login_code: code } = await json<{ login_code: string }>(args, of('amina'))
    await login('once', code)
    expect((await malipo(['login', code], of('twice'))).err).toMatch(/^malipo: the code is wrong, was used before/)
    expect((await malipo(args, of('amina'))).err).toMatch(/once@malipo.example has access already/)
  })

  test('only its user can read the token, or nobody uses it', async () => {
    const folder = join(path, 'sandbox-amina', 'malipo')
    const file = join(folder, readdirSync(folder)[0] ?? '')
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
    chmodSync(file, 0o640)
    expect((await malipo(['whoami'], of('amina'))).err).toMatch(/^malipo: other users can read your login: chmod 600 /)
    chmodSync(file, 0o600)
  })

  test('a role is checked before the command runs, and recorded with the change', async () => {
    const [support, finance] = [await hire('sam', 'support'), await hire('fatma', 'finance')]
    const { code, err } = await malipo(RATE, support)
    expect([code, err]).toEqual([
      1,
      'malipo: rate set is for the role admin or finance, and sam has the role support.\n',
    ])
    await json(RATE, finance)
    expect(await newest()).toMatchObject({
      command: 'rate set',
      actor: 'fatma',
      role: 'finance',
      reason: 'Ticket 4711',
    })
  })

  test('leaving ends all logins at once; a new role too', async () => {
    const gone = await hire('gone', 'finance')
    await json(['people', 'end', 'gone@malipo.example', ...REASON], of('amina'))
    expect(await newest()).toMatchObject({ command: 'people end', actor: 'amina@malipo.example' })
    expect(await json(['whoami'], gone)).toMatchObject({ kind: 'os_user' })
    const moved = await hire('moved', 'finance')
    await json(['people', 'change', 'moved@malipo.example', '--role', 'support', ...REASON], of('amina'))
    expect(await json(['whoami'], moved)).toMatchObject({ kind: 'os_user' })
    const { login_code: code } = await json<{ login_code: string }>(
      ['people', 'reset', 'moved@malipo.example', ...REASON],
      of('amina'),
    )
    await login('moved', code)
    expect(await json(['whoami'], moved)).toMatchObject({ role: 'support' })
  })

  test('nobody changes their own access, and the last admin stays', async () => {
    const end = ['people', 'end', 'amina@malipo.example', ...REASON]
    expect((await malipo(end, of('amina'))).err).toMatch(/^malipo: nobody changes their own access/)
    expect((await malipo(end, env)).err).toMatch(/amina@malipo.example is the last admin/)
    const demote = ['people', 'change', 'amina@malipo.example', '--role', 'support', ...REASON]
    expect((await malipo(demote, env)).err).toMatch(/is the last admin/)
    expect(await json(['whoami'], of('amina'))).toMatchObject({ role: 'admin' })
  })

  test('a login ends by logout and after its time, which is at most 90 days', async () => {
    const short = await hire('short', 'read-only')
    await json(['logout'], short)
    expect(await newest()).toMatchObject({ command: 'logout', actor: 'short' })
    expect(await json(['whoami'], short)).toMatchObject({ kind: 'os_user' })
    expect((await malipo(['login', 'x', '--for', '91d'], short)).code).toBe(2)
    const { login_code: code } = await json<{ login_code: string }>(
      ['people', 'reset', 'short@malipo.example', ...REASON],
      of('amina'),
    )
    await login('short', code, '--for', '1s')
    await expect.poll(async () => (await json(['whoami'], short))['kind'], { timeout: 60_000 }).toBe('os_user')
  })

  test('people of a merchant have its roles, and no login here', async () => {
    const args = ['people', 'invite', 'ali@shop.example', '--name', 'Ali', '--merchant', 'pub_sandbox_demo', ...REASON]
    expect((await malipo([...args, '--role', 'admin'], env)).err).toMatch(/one of owner, finance, developer, read-only/)
    expect(await json([...args, '--role', 'owner'], env)).not.toHaveProperty('login_code')
    expect(await newest()).toMatchObject({ command: 'people invite', merchant_id: 1 })
    expect(await json(['people', 'list', '--merchant', 'pub_sandbox_demo'], env)).toMatchObject([{ name: 'Ali' }])
    expect(await json(['people', 'list'], env)).not.toContainEqual(expect.objectContaining({ name: 'Ali' }))
  })

  test('an invitation and a reset print a link to the sign-in, where that is on', async () => {
    const on = { ...env, MALIPO_CONSOLE_PORT: '18999', MALIPO_CONSOLE_BASE_URL: 'https://shops.pay.example' }
    const args = ['people', 'invite', 'neema@shop.example', '--name', 'Neema', '--role', 'owner', '--merchant', '1']
    const link = /^https:\/\/shops\.pay\.example\/link\/[\w-]{43}$/
    expect((await json([...args, ...REASON], on))['sign_in_link']).toMatch(link)
    const { out } = await malipo(['people', 'reset', 'neema@shop.example', ...REASON], on)
    expect(out).toMatch(/set up how they sign in at, once and within 24 hours: https:\S+\/link\/[\w-]{43}\n/)
    expect(await json(['people', 'reset', 'neema@shop.example', ...REASON], env)).not.toHaveProperty('sign_in_link')
  })

  test('the audit log is verified, against a head that was stored elsewhere too', async () => {
    const { head } = await json<{ head: string }>(['audit', 'verify'], env)
    expect(await json(['audit', 'verify', '--anchor', written('heads.txt', head)], env)).toMatchObject({
      intact: true,
      faults: [],
    })
    const other = written('other.txt', head.replace(/ \w{64} /, ` ${'0'.repeat(64)} `))
    const { code, out } = await malipo(['audit', 'verify', '--anchor', other], env)
    expect([code, out]).toEqual([1, expect.stringMatching(/^WRONG {2}link \d+ of the anchor/)])
    expect((await malipo(['audit', 'show', '1'], env)).out).toMatch(/\n {2}from \S+\n/)
  })

  test('takes no broken glass', async () => {
    expect((await malipo([...RATE, '--break-glass'], env)).err).toMatch(/^malipo: --break-glass is for live mode/)
  })
})

describe('in live mode', async () => {
  const { firstAdmin, login, of, env, newest, hire } = await office('live')

  test('a change needs a login, and a person makes it', async () => {
    expect((await malipo(RATE, env)).err).toMatch(/^malipo: rate set needs a login in live mode: /)
    expect((await malipo(['rate', 'list'], env)).code).toBe(0)
    await login('amina', await firstAdmin('amina@malipo.example'))
    await json(RATE, of('amina'))
    expect(await newest()).toMatchObject({ command: 'rate set', actor: 'amina@malipo.example', role: 'admin' })
    const gone = await hire('gone', 'finance')
    await json(['people', 'end', 'gone@malipo.example', ...REASON], of('amina'))
    expect((await malipo(RATE, gone)).err).toMatch(/needs a login in live mode/)
  })

  test("in an emergency the database's owner breaks the glass, loudly and with a reason", async () => {
    const { err } = await malipo([...RATE, '--break-glass'], env)
    expect(err).toMatch(/^BREAK GLASS: \S+ acts on a live gateway without a login/)
    expect(await newest()).toMatchObject({ command: 'rate set', actor_kind: 'break_glass' })
    expect((await malipo(['merchant', 'create', 'Duka', '--break-glass'], env)).err).toMatch(/needs a reason/)
    expect((await malipo(['audit', 'list', '--limit', '1'], env)).out).toContain('(BREAK GLASS)  rate set')
    expect((await malipo(['doctor'], env)).out).toMatch(/warn +1 change was made with --break-glass in the last 7 days/)
    const { MIGRATION_DATABASE_URL: _owner, ...runtime } = env
    expect((await malipo([...RATE, '--break-glass'], runtime)).err).toMatch(/needs the database owner's login/)
    expect((await malipo(['people', 'first-admin', 'b@malipo.example'], runtime)).err).toMatch(/database's machine/)
  })
})
