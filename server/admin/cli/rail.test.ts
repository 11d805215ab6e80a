import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expect, test } from 'vitest'
import { childEnv } from '../../verification/testing/child-env.ts'
import { createTestDatabase } from '../../verification/testing/database.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { asFirstAdmin, CLI, json, malipo, type Environment } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

const [database, live] = await Promise.all([forFile(createTestDatabase()), forFile(createTestDatabase('template0'))])
const client = new pg.Client(database.connection)
await client.connect()
await forFile(Promise.resolve({ end: () => client.end() }))
const SANDBOX = environmentOf(database)
const LIVE_OWNER: Environment = { ...environmentOf(live), MALIPO_MODE: 'live' }
await json(['migrate'], LIVE_OWNER)
const LIVE = await asFirstAdmin(LIVE_OWNER)

const { path: folder, written } = temporaryFolder()
let files = 0
const fileWith = (...lines: readonly string[]) => written(`${(files += 1)}.env`, lines.join('\n'))

const SECRETS = ['SUBSCRIPTION-KEY-1', 'API-KEY-1']
const MTN_LINES = [
  '# what MTN gave us',
  '',
  ' target_environment = mtnuganda ',
  `collection_subscription_key=${SECRETS[0]}`,
  'collection_api_user=6f1b2c3d-0000-4000-8000-000000000001',
  `collection_api_key=${SECRETS[1]}`,
]
const MTN = fileWith(...MTN_LINES)
const IN_UGX = ['--currency', 'UGX', '--from', MTN] as const
const AT = ['--currency', 'ugx', '--base-url', 'http://127.0.0.1:9191'] as const
const add = (name: string, ...more: readonly string[]) =>
  malipo(['rail', 'add', name, 'mtn-momo', ...AT, '--from', MTN, ...more], SANDBOX)
const show = (name: string) => json<{ settings: Record<string, string> }>(['rail', 'show', name], SANDBOX)

test('adds a rail account from a file; secrets are sealed and never printed', async () => {
  const added = await json(['rail', 'add', 'mtn-uganda', 'mtn-momo', ...AT, '--from', MTN], SANDBOX)
  expect(added).toEqual({
    name: 'mtn-uganda',
    kind: 'mtn-momo',
    environment: 'trial',
    currency: 'UGX',
    transaction_types: ['COLLECTION'],
    base_url: 'http://127.0.0.1:9191',
    private_network: false,
    providers: [],
    open_orders: 0,
    updated_at: expect.any(String) as string,
  })
  const { settings } = await show('mtn-uganda')
  expect(settings).toMatchObject({
    target_environment: 'mtnuganda',
    collection_api_key: 'set, not shown',
    requests_per_second: '10 (default)',
  })
  expect(settings).not.toHaveProperty('disbursement_api_key')
  const shown = await malipo(['rail', 'show', 'mtn-uganda'], SANDBOX)
  expect(shown.out).toMatch(
    /^takes +collections; no payouts, without disbursement_subscription_key, disbursement_api_user, disbursement_api_key$/m,
  )
  const listed = await malipo(['rail', 'list'], SANDBOX)
  expect(listed.out).toMatch(
    /^mtn-uganda +mtn-momo +UGX +trial: tests only +collections +http:\/\/127\.0\.0\.1:9191 +- +- +- +0$/m,
  )
  await client.query("update rail_accounts set down_since = '2026-11-22T18:24:17Z' where name = 'mtn-uganda'")
  expect((await malipo(['rail', 'list'], SANDBOX)).out).toMatch(/9191 +- +2026-11-22 18:24:17Z +- +0$/m)
  expect((await malipo(['rail', 'show', 'mtn-uganda'], SANDBOX)).out).toMatch(/^down since +2026-11-22 18:24:17Z$/m)
  await client.query("update rail_accounts set down_since = null where name = 'mtn-uganda'")
  const { rows } = await client.query<{ row: string }>('select i::text as row from rail_accounts i')
  const everything = JSON.stringify([added, settings, shown, listed, rows])
  expect(everything).toContain('mtnuganda')
  for (const secret of SECRETS) expect(everything).not.toContain(secret)
})

test('reads settings and secrets from standard input', async () => {
  const child = spawn(process.execPath, [CLI, 'rail', 'add', 'mtn-piped', 'mtn-momo', ...AT, '--from', '-'], {
    cwd: folder,
    env: { ...childEnv(), ...SANDBOX },
  })
  child.stdin.end(MTN_LINES.join('\n'))
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(code).toBe(0)
  expect(out).toMatch(/^mtn-piped is connected to MTN MoMo; running servers know it within a second\./)
})

test('accepts a certificate of several lines, and shows its first one', async () => {
  const wrong = fileWith(
    'consumer_key=k',
    'consumer_secret=s',
    'short_code=174379',
    'passkey=p',
    'certificate=-----BEGIN CERTIFICATE-----',
    'AAAA',
    '-----END CERTIFICATE-----',
    'pull=maybe',
  )
  const { code, err } = await malipo(
    ['rail', 'add', 'kenya', 'daraja', '--currency', 'KES', '--base-url', 'http://127.0.0.1:9191', '--from', wrong],
    SANDBOX,
  )
  expect([code, err]).toEqual([
    2,
    'malipo: certificate must be a certificate in PEM, from BEGIN CERTIFICATE to END CERTIFICATE; pull must be yes or no.\n',
  ])
})

const addOf = (name: string, kind: string, ...options: readonly string[]) => ['rail', 'add', name, kind, ...options]
const KINDS = 'mtn-momo, daraja, airtel'
const NAME = 'malipo: the name must be 1 to 40 lower-case letters and digits, with single hyphens between words.\n'

test.each<[string, readonly string[], number, string]>([
  ['an unknown kind', addOf('x', 'paypal', ...AT), 2, `malipo: there is no kind of rail paypal: there are ${KINDS}.\n`],
  ['a name in capitals', addOf('MTN', 'mtn-momo', ...AT), 2, NAME],
  [
    'a name that operators would refuse',
    addOf('mpesa-kenya', 'daraja', ...AT),
    2,
    'malipo: the name must not contain "mpesa": it is part of the address at which operators report, and some refuse addresses with that word.\n',
  ],
  [
    'a file that is not there',
    addOf('x', 'mtn-momo', ...AT, '--from', '/nowhere/mtn.env'),
    2,
    'malipo: /nowhere/mtn.env cannot be read (ENOENT)\n',
  ],
  [
    'missing and unknown settings, each by its name',
    addOf('x', 'mtn-momo', ...AT, '--set', 'colour=red'),
    2,
    'malipo: colour is no setting of mtn-momo; target_environment is missing: it is the value of X-Target-Environment: `sandbox`, or that of the country, for example `mtnuganda`.\n',
  ],
  [
    'settings that each can be used, and together cannot',
    addOf('x', 'mtn-momo', ...AT, '--set', 'target_environment=sandbox'),
    2,
    'malipo: the settings of x cannot be used: it needs the credentials of Collections, of Disbursements or of both.\n',
  ],
  [
    'a certificate file that is not there',
    addOf('x', 'mtn-momo', ...AT, '--from', MTN, '--set', 'ca_file=/nowhere/ca.pem'),
    2,
    'malipo: the settings of x cannot be used: its ca_file cannot be read (ENOENT).\n',
  ],
  [
    'an address with a path',
    addOf('x', 'mtn-momo', '--currency', 'UGX', '--base-url', 'http://127.0.0.1:9191/v1', '--from', MTN),
    2,
    'malipo: base_url cannot be used. It must have no path.\n',
  ],
  [
    'where real money moves, with a point at its end',
    addOf('x', 'mtn-momo', '--currency', 'UGX', '--base-url', 'https://proxy.momoapi.mtn.com.', '--from', MTN),
    2,
    'malipo: proxy.momoapi.mtn.com is where MTN MoMo moves real money: sandbox mode takes its sandbox or a simulator only.\n',
  ],
  [
    'a rail account that is not there',
    ['rail', 'show', 'nobody'],
    3,
    'malipo: there is no rail account nobody.\nSee them all: npx --no -- malipo rail list\n',
  ],
])('%s is refused', async (_what, args, code, err) => {
  expect(await malipo(args, SANDBOX)).toEqual({ code, out: '', err })
  expect((await malipo(['rail', 'list'], SANDBOX)).out).not.toMatch(/^x /m)
})

test('refuses a secret on the command line and an unreadable line, repeats neither', async () => {
  const given = await add('x', '--set', 'collection_api_key=TOP-SECRET')
  expect([given.code, given.out]).toEqual([2, ''])
  expect(given.err).toBe(
    'malipo: collection_api_key is a secret: on the command line others could read it. Type it at the prompt, or with --from a file or - (standard input), a line for each: collection_api_key=…\n',
  )
  const unreadable = fileWith('target_environment=sandbox', 'TOP-SECRET')
  expect(await malipo(['rail', 'add', 'x', 'mtn-momo', ...AT, '--from', unreadable], SANDBOX)).toEqual({
    code: 2,
    out: '',
    err: `malipo: line 2 of ${unreadable} is not like name=value\n`,
  })
  expect((await add('x', '--set', 'concurrency')).err).toContain('It must be like requests_per_second=5.')
})

test('an empty input keeps the default', async () => {
  expect((await add('mtn-empty', '--set', 'concurrency=', '--set', 'callback_base_url=')).code).toBe(0)
  const { settings } = await show('mtn-empty')
  expect(settings['concurrency']).toBe('16 (default)')
  expect(settings).not.toHaveProperty('callback_base_url')
})

test('a name is used once, even after its owner is removed', async () => {
  expect((await add('mtn-once')).code).toBe(0)
  const taken = {
    code: 2,
    out: '',
    err: 'malipo: the name mtn-once was used before, and a name is never used twice.\nChange it: npx --no -- malipo rail set\n',
  }
  expect(await add('mtn-once')).toEqual(taken)
  expect((await malipo(['rail', 'remove', 'mtn-once'], SANDBOX)).out).toBe(
    'mtn-once is removed; its credentials are gone from the database.\n',
  )
  expect(await add('mtn-once')).toEqual(taken)
  expect((await malipo(['rail', 'show', 'mtn-once'], SANDBOX)).code).toBe(3)
})

const stored = async (name: string) => {
  const { rows } = await client.query<{ keys: string; settings: object; sealed: string }>(
    'select sealed_callback_keys::text as keys, settings, sealed_settings::text as sealed from rail_accounts where name = $1',
    [name],
  )
  return rows[0]!
}

test('changes settings, address and tokens singly; an empty value clears an option', async () => {
  await add('mtn-changed', '--set', 'callback_base_url=http://127.0.0.1:8191')
  const before = await stored('mtn-changed')
  const set = (...options: string[]) => malipo(['rail', 'set', 'mtn-changed', ...options], SANDBOX)
  expect((await set('--set', 'requests_per_second=20', '--set', 'callback_base_url=')).code).toBe(0)
  const { settings } = await show('mtn-changed')
  expect(settings['requests_per_second']).toBe('20')
  expect(settings).not.toHaveProperty('callback_base_url')
  expect((await stored('mtn-changed')).keys).toBe(before.keys)
  expect((await set('--new-token', '--base-url', 'http://127.0.0.1:7191/')).code).toBe(0)
  const rotated = await stored('mtn-changed')
  expect(rotated.keys.length).toBeGreaterThan(before.keys.length * 1.5)
  expect((await set('--end-old-tokens')).code).toBe(0)
  expect((await stored('mtn-changed')).keys).toHaveLength(before.keys.length)
  expect(await show('mtn-changed')).toMatchObject({ base_url: 'http://127.0.0.1:7191' })
  const sealed = (await stored('mtn-changed')).sealed
  expect((await set('--from', fileWith('collection_api_key=API-KEY-2'))).out).toBe(
    'mtn-changed is changed; running servers know it within a second.\n',
  )
  expect((await stored('mtn-changed')).sealed).not.toBe(sealed)
})

test('refuses an unusable change, and changes nothing', async () => {
  await add('mtn-kept')
  const before = await stored('mtn-kept')
  for (const [options, fault] of [
    [[], /^malipo: say what to change, for example requests_per_second=20\./],
    [['--set', 'target_environment='], /^malipo: target_environment is missing/],
    [['--set', 'collection_api_user='], /belong together: give all of them or none/],
    [['--set', 'collection_api_key=x'], /collection_api_key is a secret/],
    [['--base-url', 'ftp://127.0.0.1'], /^malipo: base_url cannot be used\./],
  ] as const) {
    const { code, err } = await malipo(['rail', 'set', 'mtn-kept', ...options], SANDBOX)
    expect([code, err]).toEqual([2, expect.stringMatching(fault)])
  }
  expect(await stored('mtn-kept')).toEqual(before)
})

test.each([
  ['http://momo.example', /must begin with https/],
  ['https://127.0.0.1:9101', /not a public address/],
  ['https://10.0.0.1', /not a public address/],
  ['https://localhost', /base_url cannot be used/],
  ['https://sandbox.momodeveloper.mtn.com', /is the sandbox of MTN MoMo, whose payments live mode would book/],
])('live mode does not connect to %s', async (url, fault) => {
  const args = ['rail', 'add', 'mtn-live', 'mtn-momo', '--currency', 'UGX', '--base-url', url, '--from', MTN]
  const { code, out, err } = await malipo(args, LIVE)
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(fault)])
  expect(await json(['rail', 'list'], LIVE)).toEqual([])
})

test('connects an operator behind a VPN by its setting and shows who set it', async () => {
  const args = ['rail', 'add', 'mtn-vpn', 'mtn-momo', ...IN_UGX, '--base-url', 'https://10.8.0.2']
  const refused = await malipo(args, LIVE)
  expect([refused.code, refused.err]).toEqual([
    2,
    'malipo: base_url cannot be used. The host is not a public address: an operator that is reached through a VPN needs private_network=yes.\n',
  ])
  expect(await json([...args, '--set', 'private_network=yes'], LIVE)).toMatchObject({ private_network: true })
  expect((await malipo(['rail', 'list'], LIVE)).out).toMatch(/^mtn-vpn .* https:\/\/10\.8\.0\.2 \(private network\) /m)
  const set = (...options: string[]) => malipo(['rail', 'set', 'mtn-vpn', ...options], LIVE)
  for (const [option, value] of [
    ['--base-url', 'https://127.0.0.1'],
    ['--base-url', 'https://169.254.169.254'],
    ['--base-url', 'https://localhost'],
    ['--set', 'private_network=no'],
  ] as const)
    expect(await set(option, value)).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be used/) as string })
  expect((await set('--base-url', 'https://momo.example', '--set', 'private_network=no')).code).toBe(0)
  const { changes } = await json<{ changes: { changed_by: string; what: string }[] }>(['rail', 'show', 'mtn-vpn'], LIVE)
  expect(changes).toMatchObject([
    { changed_by: 'a@malipo.example', what: 'changed: base_url=https://momo.example, private_network=no' },
    {
      changed_by: 'a@malipo.example',
      what: expect.stringMatching(/^added: base_url=https:\/\/10\.8\.0\.2, .*private_network=yes/) as string,
    },
  ])
  expect(JSON.stringify(changes)).not.toContain(SECRETS[0])
  expect((await malipo(['rail', 'show', 'mtn-vpn'], LIVE)).out).toMatch(/ by \S+ +changed: base_url=https/)
  await json(['rail', 'remove', 'mtn-vpn'], LIVE)
})

test('books money moved outside Malipo with its reason, once under its reference', async () => {
  await add('mtn-float')
  const book = (...args: readonly string[]) => malipo(['rail', 'book', 'mtn-float', ...args], SANDBOX)
  const topUp = ['in', '5000000', '--reference', '8412345678', '--reason', 'FT26324XK81', '--by', 'Ada'] as const
  expect(await book(...topUp)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^5000000 UGX more is at mtn-float\. No wallet has changed\.\n/) as string,
  })
  expect((await book(...topUp)).out).toMatch(
    /^8412345678 was booked before, at \S+ \S+Z by Ada: FT26324XK81\. Nothing was booked now\.\n$/,
  )
  expect(await book('out', ...topUp.slice(1))).toEqual({
    code: 1,
    out: '',
    err: 'malipo: 8412345678 is the name of another movement at mtn-float: 5000000 UGX in; nothing was booked.\n',
  })
  expect(await book('in', '0', ...topUp.slice(2))).toMatchObject({
    code: 2,
    err: 'malipo: the amount must be above 0.\n',
  })
  expect((await book('in', '5', '--reference', 'X')).err).toMatch(/--reason/)
  const ended = await json<object[]>(['reconcile', 'list', 'mtn-float', '--all'], SANDBOX)
  expect(ended).toMatchObject([
    { line_reference: '8412345678', ended_by: 'Ada', reason: 'FT26324XK81', moved_to: 'outside' },
  ])
})

test('live mode connects where real money moves, and says so', async () => {
  const args = ['rail', 'add', 'mtn-real', 'mtn-momo', ...IN_UGX]
  const url = 'https://proxy.momoapi.mtn.com'
  expect(await json([...args, '--base-url', url], LIVE)).toMatchObject({ environment: 'production', base_url: url })
  await json(['rail', 'remove', 'mtn-real'], LIVE)
})
