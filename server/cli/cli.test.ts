import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'

// The real command line as child processes, on data folders of this file's own.
const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))
const home = realpathSync(mkdtempSync(join(tmpdir(), 'malipo-cli-')))
const DEADLINE_MS = 30_000

type Environment = Readonly<Record<string, string>>

interface Run {
  readonly child: ChildProcess
  out: string
  err: string
  readonly ended: Promise<number | NodeJS.Signals>
}

const running = new Set<Run>()

function start(command: string, args: readonly string[], env: Environment): Run {
  const child = spawn(command, args, {
    cwd: home,
    env: { PATH: process.env.PATH, PORT: '0', MALIPO_SANDBOX_DELAY_MS: '50', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run: Run = {
    child,
    out: '',
    err: '',
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal!))),
  }
  child.stdout.on('data', (chunk: Buffer) => {
    run.out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    run.err += chunk
  })
  running.add(run)
  void run.ended.then(() => running.delete(run))
  return run
}

const startCli = (args: readonly string[], env: Environment): Run => start(process.execPath, [CLI, ...args], env)

async function malipo(args: readonly string[], env: Environment) {
  const run = startCli(args, env)
  const code = await run.ended
  return { code, out: run.out, err: run.err }
}

async function json<Value = Record<string, unknown>>(args: readonly string[], env: Environment): Promise<Value> {
  const { code, out, err } = await malipo([...args, '--json'], env)
  expect(code, err).toBe(0)
  return JSON.parse(out) as Value
}

async function until<Value>(
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  what: string,
): Promise<Value> {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (performance.now() > deadline) throw new Error(`not within ${DEADLINE_MS} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** A served gateway, by its banner. */
async function serve(env: Environment): Promise<Run & { url: string }> {
  const run = startCli(['serve'], env)
  void run.ended.then((code) => {
    run.err += `\n(ended with ${code})`
  })
  const url = await until(() => {
    if (!running.has(run)) throw new Error(`serve ended: ${run.err}`)
    return /Stop with Ctrl\+C/.test(run.out) && /API +(http\S+)/.exec(run.out)?.[1]
  }, 'the banner')
  return Object.assign(run, { url })
}

const stop = (run: Run, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> => {
  run.child.kill(signal)
  return run.ended
}

const folder = (name: string): Environment => ({ MALIPO_DATA_DIR: join(home, name) })

afterAll(async () => {
  for (const run of running) {
    run.child.kill('SIGTERM')
    await run.ended
  }
  rmSync(home, { recursive: true, force: true })
})

test('--version tells the version of package.json', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await malipo(['--version'], {})).toMatchObject({ code: 0, out: `${version}\n` })
})

describe('help', () => {
  const commands = [
    'serve',
    'migrate',
    'merchant',
    'merchant create',
    'merchant show',
    'merchant set',
    'merchant list',
    'provider list',
    'provider set',
    'rate set',
    'rate list',
    'transaction show',
    'transaction list',
    'transaction events',
    'transaction resolve',
    'callback list',
    'callback show',
    'callback resend',
  ]

  test.each(commands)('of %s has a description and an example', async (command) => {
    const { code, out } = await malipo([...command.split(' '), '--help'], {})
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Usage: malipo ${command}`))
    expect(out.split('\n')[2]).toMatch(/^[a-z].{10,}/)
    expect(out).toMatch(/\nExample:\n {2}\$ .*malipo/)
  })

  test('of the root names every command and the exit codes', async () => {
    const { code, out } = await malipo(['--help'], {})
    expect(code).toBe(0)
    for (const name of ['serve', 'migrate', 'merchant', 'provider', 'rate', 'transaction', 'callback'])
      expect(out).toContain(`\n  ${name} `)
    expect(out).toContain('Exit codes: 0 done, 1 failed, 2 used wrongly, 3 not found.')
  })

  test.each([
    [['merchnt', 'list'], /Did you mean merchant\?/],
    [['merchant', 'lst'], /Did you mean list\?/],
    [['transaction', 'list', '--staus', 'FAILED'], /Did you mean --status\?/],
    [['transaction', 'show'], /missing required argument/],
    [['transaction', 'list', '--limit', '1001'], /from 1 to 1000/],
    [['transaction', 'list', '--since', 'yesterday'], /like 90s/],
    [['serve', '--role', 'chef'], /all, api, worker/],
    [['merchant', 'set', '1', '--enable', 'mtn_ug'], /like mtn_ug:COLLECTION/],
    [['merchant', 'create', ' '], /1 to 100/],
    [['merchant'], /Usage/],
    [['rate', 'set', 'USD', 'UGX', '-1'], /unknown option|decimal number/],
    [['rate', 'set', 'USD', 'USD', '1'], /no rate to itself/],
    [['rate', 'set', 'US', 'UGX', '1'], /three letters/],
    [['provider', 'set', 'mtn_ug', '--charge', '1'], /--type/],
    [['provider', 'set', 'mtn_ug', '--type', 'COLLECTION', '--charge', '101'], /from 0 to 100/],
    [['transaction', 'resolve', 'ORDER-0001'], /either --completed or --failed/],
    [
      ['serve', '--role', 'api'],
      /^malipo: --role api needs DATABASE_URL: .*\nSet DATABASE_URL .*, or leave --role away/,
    ],
    [['serve', '--role', 'worker'], /^malipo: --role worker needs DATABASE_URL/],
  ] as const)('wrong use ends with 2 and a hint: %j', async (args, hint) => {
    const { code, out, err } = await malipo(args, folder('never'))
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(hint)
    expect(err).not.toMatch(/\n {4}at /)
  })
})

describe('without a server', () => {
  test('a command does not make a database: it says how to get one', async () => {
    const { code, err } = await malipo(['merchant', 'list'], folder('never'))
    expect(code).toBe(1)
    expect(err).toMatch(/no database in .*never yet.\nStart the server first .* or run malipo migrate/)
    expect(existsSync(join(home, 'never'))).toBe(false)
  })

  test('migrate applies once and says what; then the commands work, until a newer version has been there', async () => {
    const env = folder('migrated')
    const { applied } = await json<{ applied: string[] }>(['migrate'], env)
    expect(applied[0]).toBe('0001_gateway.sql')
    expect(await json(['migrate'], env)).toEqual({ applied: [] })
    expect(await json(['merchant', 'list'], env)).toEqual([])

    await changeDatabase(env, `insert into schema_migrations (name) values ('9999_future.sql')`)
    for (const args of [['merchant', 'list'], ['serve'], ['migrate']]) {
      const { code, err } = await malipo(args, env)
      expect(code).toBe(1)
      expect(err).toMatch(
        /^malipo: the database was migrated by a newer version of Malipo.*\.\nUpdate Malipo, or use another database\.\n$/,
      )
    }

    await changeDatabase(env, 'drop table schema_migrations')
    expect((await malipo(['merchant', 'list'], env)).err).toMatch(/Run malipo migrate, or start the server first/)
  })
})

async function changeDatabase({ MALIPO_DATA_DIR }: Environment, statement: string): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir: MALIPO_DATA_DIR!, role: 'guest' })
  const client = new pg.Client({ ...postgres.connection })
  await client.connect()
  await client.query(statement)
  await client.end()
  await postgres.stop()
}

describe('a start that cannot succeed says why in two lines and ends with 1', () => {
  const taken: Server[] = []
  afterEach(() => {
    for (const server of taken.splice(0)) server.close()
  })

  async function refusal(env: Environment): Promise<string> {
    const { code, out, err } = await malipo(['serve'], { ...folder('never'), ...env })
    expect([code, out]).toEqual([1, ''])
    expect(err.trim().split('\n').length).toBeLessThanOrEqual(2)
    return err
  }

  test('a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    taken.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    expect(await refusal({ ...folder('port'), PORT: String(port) })).toBe(
      `malipo: port ${port} on 127.0.0.1 is taken by another program.\nUse another one, for example PORT=${port + 1} npm start, or let the system choose: PORT=0 npm start.\n`,
    )
  })

  test('a setting that cannot be read', async () => {
    expect(await refusal({ PORT: 'eighty' })).toBe('malipo: PORT must be a whole number from 0 to 65535, not eighty\n')
    expect(await refusal({ MALIPO_MODE: 'live' })).toMatch(/MALIPO_MASTER_KEY is required in live mode/)
  })

  test('a data folder that is a file', async () => {
    expect(await refusal({ MALIPO_DATA_DIR: CLI })).toMatch(/cannot be made, because a file is in its place/)
  })

  test('a database that does not answer, does not exist, or refuses the password', async () => {
    const { host, port, user, password } = inject('postgres')
    const url = (pass: string, database: string) =>
      `postgres://${user}:${encodeURIComponent(pass)}@${encodeURIComponent(host)}:${port}/${database}`
    expect(await refusal({ DATABASE_URL: 'postgres://a:topsecret@127.0.0.1:1/x' })).toMatch(
      /PostgreSQL at 127.0.0.1:1 cannot be reached .*\nStart it, or correct DATABASE_URL/,
    )
    expect(await refusal({ DATABASE_URL: url('wrong', 'postgres') })).toMatch(/refuses the user \w+ or its password/)
    expect(await refusal({ DATABASE_URL: url(password, 'nowhere') })).toMatch(
      /has no database nowhere.\nCreate it \(createdb nowhere\)/,
    )
  })
})

describe('with the sandbox served', () => {
  const env = folder('sandbox')
  let gateway: Run & { url: string }
  beforeAll(async () => {
    gateway = await serve(env)
  })

  const api = (path: string, publicKey: string, body?: object) =>
    fetch(`${gateway.url}${path}`, {
      headers: { 'x-api-version': '1', 'public-key': publicKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })

  /** A merchant that the running server knows. */
  async function newMerchant(
    ...options: readonly string[]
  ): Promise<{ id: number; public_key: string; secret_key: string; signing_key: string; webhook_secret: string }> {
    const merchant = await json<Awaited<ReturnType<typeof newMerchant>>>(
      ['merchant', 'create', 'Duka Moja', ...options],
      env,
    )
    await until(
      async () =>
        (
          await api(
            '/data/payment-providers?currency=UGX&transaction_type=COLLECTION&transaction_method=MOBILE_MONEY',
            merchant.public_key,
          )
        ).status !== 401,
      'the server knows the merchant',
    )
    return merchant
  }

  async function collect(publicKey: string, reference: string, msisdn = '256772000123'): Promise<void> {
    const reply = await api('/collections/initialize', publicKey, {
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: reference,
      msisdn,
      currency: 'UGX',
      amount: 5000,
      description: 'Order at the desk',
    })
    expect(reply.status, await reply.text()).toBe(202)
  }

  const finalRecord = (reference: string) =>
    until(async () => {
      const record = await json<{ transaction_status: string }>(['transaction', 'show', reference], env)
      return ['COMPLETED', 'FAILED'].includes(record.transaction_status) && record
    }, `${reference} is final`)

  test('the banner names addresses and keys; its curl line can be pasted twice, and its verify line answers', async () => {
    for (const part of [
      '/docs',
      '/sandbox/inbox',
      'Duka la Mfano',
      'pub_sandbox_demo',
      'sec_sandbox_demo',
      'SANDBOXDEMOSIGNKEY01',
      'whsec_',
    ])
      expect(gateway.out).toContain(part)
    const [collection, verify] = gateway.out.split('\n').filter((line) => line.startsWith('curl '))
    const paste = async (line: string) => {
      const run = start('sh', ['-c', line], {})
      expect(await run.ended, run.err).toBe(0)
      return JSON.parse(run.out) as { code: number; data: { merchant_reference: string; transaction_status?: string } }
    }
    const [first, second] = [await paste(collection!), await paste(collection!)]
    expect([first.code, second.code]).toEqual([202, 202])
    expect(first.data.merchant_reference).not.toBe(second.data.merchant_reference)
    const asked = verify!.replace('MERCHANT_REFERENCE', first.data.merchant_reference)
    await until(
      async () => (await paste(asked)).data.transaction_status === 'COMPLETED',
      'the collection of the curl line is COMPLETED',
    )
  })

  test('the log is JSON lines on standard error; standard output carries nothing but the banner', async () => {
    await api('/data/wallet-balances?currency=XTS', 'nobody')
    const requests = () =>
      gateway.err
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { msg: string; status?: number })
    await until(
      () => requests().some(({ msg, status }) => msg === 'request' && status === 401),
      'the request is logged',
    )
    expect(gateway.out).not.toContain('"level"')
  })

  test('a merchant is created, shown, changed and listed; its keys are shown once and work', async () => {
    const created = await malipo(
      ['merchant', 'create', 'Duka la Pili', '--collection-callback-url', 'http://localhost:9099/callbacks'],
      env,
    )
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
    }>(['merchant', 'show', publicKey], env)
    expect(shown).toMatchObject({
      name: 'Duka la Pili',
      collection_callback_url: 'http://localhost:9099/callbacks',
      sandbox_only: false,
    })
    expect(typeof shown.id).toBe('number')
    const everything =
      JSON.stringify(shown) +
      (await malipo(['merchant', 'show', String(shown.id)], env)).out +
      (await malipo(['merchant', 'list'], env)).out
    for (const secret of secrets) expect(everything).not.toContain(secret)

    const changed = await json<typeof shown>(
      [
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
      ],
      env,
    )
    expect(changed).toMatchObject({
      name: 'Duka la Tatu',
      collection_callback_url: null,
      verification_url: 'https://shop.example/check',
    })
    const options = changed.options.map((option) => `${option.provider_code}:${option.transaction_type}`)
    expect(options).not.toContain('mtn_ug:COLLECTION')
    expect(options).not.toContain('bank_ng:PAYOUT')
    expect(options).toContain('mtn_ug:PAYOUT')

    const hosts = await json<{ redirect_hosts: string[] }>(
      ['merchant', 'set', publicKey, '--redirect-hosts', 'Shop.example, *.shop.example'],
      env,
    )
    expect(hosts.redirect_hosts).toEqual(['shop.example', '*.shop.example'])
    expect((await malipo(['merchant', 'show', publicKey], env)).out).toMatch(
      /^customers sent to +shop\.example \*\.shop\.example$/m,
    )
    for (const none of ['', 'none'])
      expect(await json(['merchant', 'set', publicKey, '--redirect-hosts', none], env)).toMatchObject({
        redirect_hosts: null,
      })
    const wrong = await malipo(['merchant', 'set', publicKey, '--redirect-hosts', 'https://shop.example/'], env)
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringMatching(/hosts such as shop\.example or \*\.shop\.example.*; https:\/\/shop\.example\/ is none/),
    ])

    const listed = await json<{ name: string }[]>(['merchant', 'list'], env)
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['Duka la Mfano', 'Duka la Tatu']))
    const balances = () =>
      fetch(`${gateway.url}/data/wallet-balances`, {
        headers: { 'x-api-version': '1', 'public-key': publicKey, 'secret-key': secrets[0]! },
      })
    await until(async () => (await balances()).status === 200, 'the new keys work')
  })

  test('a URL that callbacks could not go to is refused, by the rules of the mode', async () => {
    const live = { ...folder('live'), MALIPO_MODE: 'live', MALIPO_MASTER_KEY: 'x'.repeat(32) }
    await json(['migrate'], live)
    await json(['merchant', 'create', 'Duka Langu'], live)
    for (const [url, environment, why] of [
      ['ftp://shop.example', env, /must begin with https:\/\/ or http/],
      ['http://u:p@shop.example', env, /user name/],
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
    ]) {
      const { code, out, err } = await malipo(args, env)
      expect([code, out], args.join(' ')).toEqual([3, ''])
      expect(err).toMatch(/^malipo: there is no .*\nSee/)
    }
  })

  test('nothing is sealed with another master key than the server has', async () => {
    const before = await json<unknown[]>(['merchant', 'list'], env)
    const { code, err } = await malipo(['merchant', 'create', 'Mgeni'], {
      ...env,
      MALIPO_MASTER_KEY: 'another key of at least 32 characters',
    })
    expect(code).toBe(1)
    expect(err).toMatch(/MALIPO_MASTER_KEY is not the key that this database was written with/)
    expect(await json(['merchant', 'list'], env)).toHaveLength(before.length)
  })

  test('live mode does not touch the database of a sandbox', async () => {
    const { code, out, err } = await malipo(['merchant', 'list'], {
      ...env,
      MALIPO_MODE: 'live',
      MALIPO_MASTER_KEY: 'x'.repeat(32),
    })
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(
      /^malipo: this database belongs to sandbox mode, .*\nLeave MALIPO_MODE away to work on it; live mode needs a database of its own/,
    )
  })

  test('providers are listed by currency and type, amounts in major units', async () => {
    const options = await json<{ provider_code: string; min_amount: number }[]>(
      ['provider', 'list', '--currency', 'ugx', '--type', 'collection'],
      env,
    )
    expect(options.map(({ provider_code }) => provider_code)).toEqual(['airtel_ug', 'mtn_ug'])
    expect(options[0]).toMatchObject({
      currency: 'UGX',
      transaction_type: 'COLLECTION',
      min_amount: 500,
      max_amount: 3_000_000,
      charge_basis_points: 100,
      is_active: true,
    })
    expect((await malipo(['provider', 'list'], env)).out).toMatch(/^PROVIDER +NAME +TYPE/)
  })

  test('a rate is set and listed, and a request in the other currency is converted with it', async () => {
    const { public_key } = await newMerchant()
    expect((await malipo(['rate', 'set', 'usd', 'ugx', '3800'], env)).out).toContain('1 USD is now 3800 UGX')
    expect(await json(['rate', 'list'], env)).toEqual([
      expect.objectContaining({ from: 'USD', to: 'UGX', rate: '3800' }),
    ])
    const collection = {
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: 'RATE-0001',
      msisdn: '256772000123',
      currency: 'USD',
      amount: 100,
      description: 'Order at the desk',
    }
    await until(
      async () => (await api('/collections/initialize', public_key, collection)).status === 202,
      'the server knows the rate',
    )
    await finalRecord('RATE-0001')
    const { data } = (await (await api('/data/transaction/verify/RATE-0001', public_key)).json()) as { data: object }
    expect(data).toMatchObject({ transaction_amount: 380_000, transaction_charge: 3_800, total_credit: 376_200 })
  })

  test('a payment option is changed, for amounts of its currency only, and never into a contradiction', async () => {
    const set = (...args: string[]) => malipo(['provider', 'set', 'airtel_zm', '--type', 'payout', ...args], env)
    const changed = await json(
      [
        'provider',
        'set',
        'airtel_zm',
        '--type',
        'payout',
        '--min',
        '2.50',
        '--charge',
        '1.25',
        '--clearing-delay',
        '24h',
        '--reserve',
        '5',
        '--reserve-for',
        '90d',
        '--inactive',
      ],
      env,
    )
    expect(changed).toMatchObject({
      min_amount: 2.5,
      charge_basis_points: 125,
      clearing_delay_seconds: 86_400,
      reserve_basis_points: 500,
      reserve_seconds: 7_776_000,
      is_active: false,
    })
    expect(await set('--min', '99999999')).toMatchObject({
      code: 2,
      err: expect.stringContaining('contradict each other') as string,
    })
    expect(await set('--min', '2.505')).toMatchObject({
      code: 2,
      err: expect.stringContaining('at most 2 decimals for ZMW') as string,
    })
    expect(await set()).toMatchObject({ code: 2, err: expect.stringContaining('say what to change') as string })
    expect((await malipo(['provider', 'set', 'nobody', '--type', 'PAYOUT', '--active'], env)).code).toBe(3)
  })

  test('the prefixes of a provider are changed for collections and payouts, and running servers go by them', async () => {
    const { public_key } = await newMerchant()
    const set = (provider: string, prefixes: string, ...more: string[]) =>
      malipo(['provider', 'set', provider, '--type', 'collection', '--prefixes', prefixes, ...more], env)
    const changed = await json<{ prefixes: string[] }>(
      ['provider', 'set', 'airtel_ug', '--type', 'collection', '--prefixes', '74, 75,70,20'],
      env,
    )
    expect(changed.prefixes).toEqual(['74', '75', '70', '20'])
    const [payout] = (
      await json<{ provider_code: string; prefixes: string[] }[]>(['provider', 'list', '--type', 'payout'], env)
    ).filter(({ provider_code }) => provider_code === 'airtel_ug')
    expect(payout!.prefixes).toEqual(changed.prefixes)
    const collection = {
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'airtel_ug',
      merchant_reference: 'PREFIX-0001',
      msisdn: '256200000123',
      currency: 'UGX',
      amount: 5000,
      description: 'Order at the desk',
    }
    await until(
      async () => (await api('/collections/initialize', public_key, collection)).status === 202,
      'the server knows the prefix',
    )
    expect(await set('airtel_ug', '74,75,74')).toMatchObject({
      code: 2,
      err: expect.stringContaining('It has 74 twice') as string,
    })
    for (const wrong of ['', '74,', '74;75', '+74', '1234567', 'abc'])
      expect(await set('airtel_ug', wrong)).toMatchObject({
        code: 2,
        err: expect.stringContaining('1 to 100 prefixes of 1 to 6 digits') as string,
      })
    expect(await set('bank_ng', '12')).toMatchObject({
      code: 2,
      err: expect.stringContaining('bank_ng is no provider of mobile money') as string,
    })
    // What contradicts itself changes nothing at all.
    expect((await set('airtel_ug', '99', '--min', '99999999')).code).toBe(2)
    expect((await set('airtel_ug', '74,75,70')).out).toContain('airtel_ug COLLECTION is changed')
  })

  test('what hangs is resolved once, either way, with its money and its callback', async () => {
    const { public_key } = await newMerchant()
    for (const [reference, args, status] of [
      ['HANGS-0001', ['--completed'], 'COMPLETED'],
      ['HANGS-0002', ['--failed', 'The operator found no transfer'], 'FAILED'],
    ] as const) {
      await collect(public_key, reference, '256772000006')
      await until(
        async () =>
          (await json<{ transaction_status: string }>(['transaction', 'show', reference], env)).transaction_status ===
          'PROCESSING',
        `${reference} is with the rail`,
      )
      expect(await json(['transaction', 'resolve', reference, ...args], env)).toMatchObject({
        transaction_status: status,
      })
      expect(await malipo(['transaction', 'resolve', reference, ...args], env)).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          `is ${status}: only what is PROCESSING, or paid by the rail and not booked, can be resolved`,
        ) as string,
      })
      const events = await json<{ kind: string; detail: string }[]>(['transaction', 'events', reference], env)
      expect(events.map(({ kind }) => kind)).toContain('resolved')
    }
    const { data } = (await (await api('/data/transaction/verify/HANGS-0002', public_key)).json()) as { data: object }
    expect(data).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'The operator found no transfer',
      total_credit: 0,
    })
  })

  test('the events of a collection tell its life from acceptance to its money, and its entries sum to zero', async () => {
    const { public_key } = await newMerchant()
    await collect(public_key, 'EVENTS-0001')
    await finalRecord('EVENTS-0001')
    const events = await json<
      { kind: string; at: string; detail: string; entries?: { account: string; amount: number; currency: string }[] }[]
    >(['transaction', 'events', 'EVENTS-0001'], env)
    // It has no callback URL: what it would be told waits for one, and that may be told a moment later.
    expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'callback_stopped')).toEqual([
      'accepted',
      'submitted',
      'settled',
      'booked',
    ])
    expect(events[0]!.detail).toBe('COLLECTION of 5000 UGX from *********123 by mtn_ug, for Duka Moja')
    const entries = events[3]!.entries!
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    expect(entries).toContainEqual({ account: 'collection_available', amount: 4950, currency: 'UGX' })
    const { out } = await malipo(['transaction', 'events', 'EVENTS-0001'], env)
    expect(out).toMatch(/^EVENTS-0001 {2}COMPLETED: .*\n\n\d{4}-\S+Z {2}accepted /)
    expect(out).not.toContain('256772000123')
  })

  test('a transaction is shown by any of its names, the account masked unless asked for', async () => {
    const { public_key } = await newMerchant()
    await collect(public_key, 'SHOWN-0001', '256772000002')
    await finalRecord('SHOWN-0001')
    const record = await json<{ id: number; internal_reference: string }>(
      ['transaction', 'show', 'SHOWN-0001', '--merchant', public_key],
      env,
    )
    expect(record).toMatchObject({
      transaction_status: 'FAILED',
      transaction_account: '*********002',
      transaction_amount: 5000,
      transaction_charge: 0,
      total_credit: 0,
      merchant_public_key: public_key,
    })
    expect(await json(['transaction', 'show', record.internal_reference], env)).toEqual(record)
    expect(await json(['transaction', 'show', String(record.id)], env)).toEqual(record)
    expect(await json(['transaction', 'show', 'SHOWN-0001', '--full'], env)).toMatchObject({
      transaction_account: '256772000002',
    })
    expect((await malipo(['transaction', 'show', 'SHOWN-0001'], env)).out).toMatch(/account +\*{9}002\n/)
  })

  test('a reference that two merchants use is asked back, and --merchant answers', async () => {
    const [one, two] = [await newMerchant(), await newMerchant()]
    for (const { public_key } of [one, two]) await collect(public_key, 'SHARED-0001')
    const { code, err } = await malipo(['transaction', 'show', 'SHARED-0001'], env)
    expect(code).toBe(2)
    expect(err).toMatch(/2 transactions go by SHARED-0001/)
    expect(await json(['transaction', 'show', 'SHARED-0001', '--merchant', two.public_key], env)).toMatchObject({
      merchant_public_key: two.public_key,
    })
  })

  test('transactions are listed newest first, by merchant, status, time and number', async () => {
    const { public_key } = await newMerchant()
    for (const n of [1, 2, 3]) await collect(public_key, `LISTED-000${n}`, n === 2 ? '256772000004' : '256772000001')
    for (const n of [1, 2, 3]) await finalRecord(`LISTED-000${n}`)
    const list = async (...options: string[]) =>
      (
        await json<{ merchant_reference: string }[]>(['transaction', 'list', '--merchant', public_key, ...options], env)
      ).map((row) => row.merchant_reference)
    expect(await list()).toEqual(['LISTED-0003', 'LISTED-0002', 'LISTED-0001'])
    expect(await list('--status', 'failed')).toEqual(['LISTED-0002'])
    expect(await list('--limit', '1')).toEqual(['LISTED-0003'])
    expect(await list('--since', '1h')).toHaveLength(3)
    expect(await list('--since', new Date(Date.now() + 60_000).toISOString())).toEqual([])
    const { out } = await malipo(['transaction', 'list', '--merchant', public_key], env)
    expect(out).toMatch(/^ACCEPTED +REFERENCE/)
    expect(out).not.toMatch(/256772000/)
  })

  test('a callback is listed with its attempts and sent again under its webhook-id, to the URL the merchant has by then', async () => {
    const receiver = await startReceiver()
    const { public_key } = await newMerchant('--collection-callback-url', `${receiver.url}/first`)
    await collect(public_key, 'CALLED-0001')
    await until(() => receiver.received.length === 1, 'the callback arrived')
    const callbacks = () =>
      json<
        { id: number; webhook_id: string; status: string; attempts: number; attempts_made: { http_status: number }[] }[]
      >(['callback', 'list', '--transaction', 'CALLED-0001'], env)
    const delivered = (attempts: number) =>
      until(
        async () =>
          (await callbacks()).find((callback) => callback.status === 'DELIVERED' && callback.attempts === attempts),
        `attempt ${attempts} is recorded`,
      )
    const first = await delivered(1)
    expect(first.attempts_made).toMatchObject([{ attempt: 1, http_status: 200, error: null, reply_excerpt: 'thanks' }])

    expect(await json(['callback', 'resend', String(first.id)], env)).toMatchObject({
      webhook_id: first.webhook_id,
      status: 'PENDING',
    })
    await delivered(2)
    await malipo(['merchant', 'set', public_key, '--collection-callback-url', `${receiver.url}/second`], env)
    const again = await malipo(['callback', 'resend', first.webhook_id], env)
    expect(again.out).toContain(`(${first.webhook_id}) goes out within seconds, to ${receiver.url}/second`)
    expect((await delivered(3)).attempts_made).toHaveLength(3)

    expect(receiver.received.map(({ path }) => path)).toEqual(['/first', '/first', '/second'])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([first.webhook_id]))
    const events = await json<{ kind: string }[]>(['transaction', 'events', 'CALLED-0001'], env)
    expect(events.filter(({ kind }) => kind === 'callback_resent')).toHaveLength(2)
    expect((await malipo(['callback', 'show', String(first.id)], env)).out).toMatch(/ATTEMPT +AT +MS +HTTP/)
    receiver.close()
  })

  test('a pipe that ends early is no failure', async () => {
    const run = start(
      'bash',
      ['-c', `set -o pipefail; ${process.execPath} ${CLI} provider list --json | head -c 1`],
      env,
    )
    expect(await run.ended).toBe(0)
    expect([run.out, run.err]).toEqual(['[', ''])
  })

  test('a second server on the data folder is refused, and the first goes on', async () => {
    const { code, err } = await malipo(['serve'], env)
    expect(code).toBe(1)
    expect(err).toContain(
      `Another Malipo (pid ${gateway.child.pid}) already serves the data folder ${env.MALIPO_DATA_DIR}`,
    )
    expect((await api('/health/ready', 'nobody')).status).toBe(200)
  })

  // The last test of this server: it ends it.
  test('SIGTERM ends with 0, and the commands work on without the server', async () => {
    await collect('pub_sandbox_demo', 'STOPPED-0001', '256772000006')
    expect(await stop(gateway)).toBe(0)
    expect(await json(['transaction', 'show', 'STOPPED-0001'], env)).toMatchObject({
      merchant_reference: 'STOPPED-0001',
    })
  })
})

interface Receiver {
  readonly url: string
  readonly received: { path: string; headers: IncomingHttpHeaders }[]
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = []
  const server = createHttpServer((request, response) => {
    received.push({ path: request.url!, headers: request.headers })
    request.resume().on('end', () => response.end('thanks'))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('the end of a server', () => {
  const env = folder('ending')

  /**
   * A client that sends half a request and then nothing; the server's "100 Continue" shows that it has read the first
   * half.
   */
  async function halfRequest(url: string) {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(
      'POST /collections/initialize HTTP/1.1\r\nhost: x\r\nx-api-version: 1\r\npublic-key: pub_sandbox_demo\r\ncontent-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n',
    )
    await new Promise((resolve) => socket.once('data', resolve))
    return socket
  }

  test('serve --json prints one document with the address and the keys', async () => {
    const run = startCli(['serve', '--json'], env)
    const started = await until(
      () => run.out.endsWith('}\n') && (JSON.parse(run.out) as { url: string }),
      'the document',
    )
    expect(started).toMatchObject({
      mode: 'sandbox',
      role: 'all',
      docs_url: `${started.url}/docs`,
      demo_merchant: { public_key: 'pub_sandbox_demo' },
    })
    expect(await stop(run, 'SIGINT')).toBe(0)
  })

  test('is not held up by a client that never finishes its request', async () => {
    const gateway = await serve(env)
    const socket = await halfRequest(gateway.url)
    const startedAt = performance.now()
    expect(await stop(gateway)).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    socket.destroy()
  })

  test('comes at once with a second signal', async () => {
    const gateway = await serve(env)
    const socket = await halfRequest(gateway.url)
    gateway.child.kill('SIGTERM')
    await until(() => gateway.err.includes('stopping'), 'it is stopping')
    // Two signals within half a second are one press of Ctrl+C under npm: it is asked again until it is taken as the
    // second.
    const code = await until(async () => {
      gateway.child.kill('SIGINT')
      return !running.has(gateway) && gateway.ended
    }, 'the end')
    expect(code).toBe(130)
    socket.destroy()
  })

  test('follows a fault that nobody handled: it is logged, and the exit code is 1', async () => {
    const preload = `data:text/javascript,process.on('SIGUSR2',()=>{Promise.reject(new Error('planted%20fault'))})`
    const gateway = await serve({ ...env, NODE_OPTIONS: `--import="${preload}"` })
    gateway.child.kill('SIGUSR2')
    expect(await gateway.ended).toBe(1)
    const fatal = gateway.err.split('\n').find((line) => line.includes('planted fault'))
    expect(JSON.parse(fatal!)).toMatchObject({ level: 60, origin: 'unhandledRejection' })
  })
})
