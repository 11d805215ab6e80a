import { expect, test } from 'vitest'
import { folder, soon, type Environment } from './testing/command-line.ts'
import { operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { json, malipo } = gateway

test('a merchant is created, shown, changed and listed; its keys are shown once and work', async () => {
  const created = await malipo([
    'merchant',
    'create',
    'Duka la Pili',
    '--collection-callback-url',
    'http://localhost:9099/callbacks',
  ])
  expect(created.code).toBe(0)
  expect(created.out).toMatch(/Keep these keys now: they are shown this once and never again/)
  const keyOf = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(created.out)![1]!
  const publicKey = keyOf('public key')
  const secrets = [keyOf('secret key'), keyOf('signing key'), keyOf('webhook secret')]

  const shown = await json<{
    id: number
    name: string
    collection_callback_url: string
    options: { provider_code: string; transaction_type: string }[]
  }>(['merchant', 'show', publicKey])
  expect(shown).toMatchObject({
    name: 'Duka la Pili',
    collection_callback_url: 'http://localhost:9099/callbacks',
    sandbox_only: false,
  })
  expect(typeof shown.id).toBe('number')
  const everything =
    JSON.stringify(shown) +
    (await malipo(['merchant', 'show', String(shown.id)])).out +
    (await malipo(['merchant', 'list'])).out
  for (const secret of secrets) expect(everything).not.toContain(secret)

  const changed = await json<typeof shown>([
    'merchant',
    'set',
    publicKey,
    '--name',
    'Duka la Tatu',
    '--collection-callback-url',
    '',
    '--verification-url',
    'https://shop.example/check',
    '--disable',
    'mtn_ug:COLLECTION',
    '--disable',
    'bank_ng:payout',
    '--disable',
    'airtel_ug:PAYOUT',
    '--enable',
    'airtel_ug:PAYOUT',
  ])
  expect(changed).toMatchObject({
    name: 'Duka la Tatu',
    collection_callback_url: null,
    verification_url: 'https://shop.example/check',
  })
  const options = changed.options.map((option) => `${option.provider_code}:${option.transaction_type}`)
  expect(options).not.toContain('mtn_ug:COLLECTION')
  expect(options).not.toContain('bank_ng:PAYOUT')
  expect(options).toContain('mtn_ug:PAYOUT')

  const hosts = await json<{ redirect_hosts: string[] }>([
    'merchant',
    'set',
    publicKey,
    '--redirect-hosts',
    'Shop.example, *.shop.example',
  ])
  expect(hosts.redirect_hosts).toEqual(['shop.example', '*.shop.example'])
  expect((await malipo(['merchant', 'show', publicKey])).out).toMatch(
    /^customers sent to +shop\.example \*\.shop\.example$/m,
  )
  for (const none of ['', 'none'])
    expect(await json(['merchant', 'set', publicKey, '--redirect-hosts', none])).toMatchObject({
      redirect_hosts: null,
    })
  const wrong = await malipo(['merchant', 'set', publicKey, '--redirect-hosts', 'https://shop.example/'])
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringMatching(/hosts such as shop\.example or \*\.shop\.example.*; https:\/\/shop\.example\/ is none/),
  ])

  const listed = await json<{ name: string }[]>(['merchant', 'list'])
  expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['Duka la Mfano', 'Duka la Tatu']))
  const balances = () =>
    fetch(`${gateway.url}/data/wallet-balances`, {
      headers: { 'x-api-version': '1', 'public-key': publicKey, 'secret-key': secrets[0]! },
    })
  await soon(async () => (await balances()).status === 200, 'the new keys work')
})

test('a URL that callbacks could not go to is refused, by the rules of the mode', async () => {
  const sandbox: Environment = {}
  const live = { ...folder('live'), DATABASE_URL: '', MALIPO_MODE: 'live', MALIPO_MASTER_KEY: 'x'.repeat(32) }
  await json(['migrate'], live)
  await json(['merchant', 'create', 'Duka Langu'], live)
  for (const [url, environment, why] of [
    ['ftp://shop.example', sandbox, /must begin with https:\/\/ or http/],
    ['http://u:p@shop.example', sandbox, /user name/],
    ['http://shop.example', live, /must begin with https/],
    ['https://10.0.0.1/x', live, /not a public address/],
  ] as const) {
    const { code, err } = await malipo(['merchant', 'set', '1', '--collection-callback-url', url], environment)
    expect(code).toBe(2)
    expect(err).toMatch(why)
  }
})

test('what does not exist ends with 3', async () => {
  for (const args of [
    ['merchant', 'show', 'pub_nobody'],
    ['transaction', 'show', 'NO-SUCH-REFERENCE'],
    ['transaction', 'events', '1234567890'],
    ['callback', 'show', '999999'],
    ['callback', 'resend', 'cb_NONE'],
    ['transaction', 'list', '--merchant', 'pub_nobody'],
    ['merchant', 'set', '1', '--enable', 'mtn_xx:COLLECTION'],
    ['wallet', 'show', 'pub_nobody'],
    ['wallet', 'deposit', 'pub_nobody', 'UGX', '5'],
    ['wallet', 'deposit', '1', 'XTS', '5'],
    ['keys', 'list', 'pub_nobody'],
    ['keys', 'rotate', 'pub_nobody', '--kind', 'secret_key'],
    ['callback', 'resend', '--transaction', 'NO-SUCH-REFERENCE'],
    ['transaction', 'list', '--stuck', '--merchant', 'pub_nobody'],
  ]) {
    const { code, out, err } = await malipo(args)
    expect([code, out], args.join(' ')).toEqual([3, ''])
    expect(err).toMatch(/^malipo: there is no .*\nSee/)
  }
})

test('nothing is sealed with another master key than the server has', async () => {
  const before = await json<unknown[]>(['merchant', 'list'])
  const { code, err } = await malipo(['merchant', 'create', 'Mgeni'], {
    MALIPO_MASTER_KEY: 'another key of at least 32 characters',
  })
  expect(code).toBe(1)
  expect(err).toMatch(/MALIPO_MASTER_KEY is not the key that this database was written with/)
  expect(await json(['merchant', 'list'])).toHaveLength(before.length)
})

test('live mode does not touch the database of a sandbox', async () => {
  const { code, out, err } = await malipo(['merchant', 'list'], {
    MALIPO_MODE: 'live',
    MALIPO_MASTER_KEY: 'x'.repeat(32),
  })
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(
    /^malipo: this database belongs to sandbox mode, .*\nLeave MALIPO_MODE away to work on it; live mode needs a database of its own/,
  )
})
