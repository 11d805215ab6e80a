import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPool } from '../storage/pool.ts'
import { loadReferenceData } from '../storage/reference-data.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { freePort, serve, until, type ServedGateway } from '../testing/served-gateway.ts'

// The real command line as child processes, against databases of this file's own.
const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'malipo-operator-'))
const MASTER_KEY = 'a master key for tests only, nothing real'
const DEADLINE_MS = 30_000
const DAY_MS = 24 * 60 * 60_000

type Environment = Readonly<Record<string, string>>

function environmentOf({ connection: { host, port, user, password, database } }: TestDatabase): Environment {
  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  return { DATABASE_URL: url, MALIPO_DATA_DIR: home, MALIPO_MASTER_KEY: MASTER_KEY, MALIPO_SANDBOX_DELAY_MS: '50' }
}

async function malipo(
  args: readonly string[],
  env: Environment,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

async function json<Value = Record<string, unknown>>(args: readonly string[], env: Environment): Promise<Value> {
  const { code, out, err } = await malipo([...args, '--json'], env)
  expect(code, err).toBe(0)
  return JSON.parse(out) as Value
}

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('help', () => {
  const commands = [
    'wallet',
    'wallet show',
    'wallet deposit',
    'wallet transfer',
    'keys',
    'keys list',
    'keys rotate',
    'keys withdraw',
    'keys reseal',
    'doctor',
    'callback resend',
    'transaction list',
  ]

  test.each(commands)('of %s has a description and an example', async (command) => {
    const { code, out } = await malipo([...command.split(' '), '--help'], {})
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Usage: malipo ${command}`))
    expect(out.split('\n')[2]).toMatch(/^[a-z].{10,}/)
    expect(out).toMatch(/\nExample:\n {2}\$ .*malipo/)
  })

  test.each([
    [['wallet', 'deposit', '1', 'UGX', '0'], /above 0/],
    [['wallet', 'deposit', '1', 'UGX', '10.5'], /at most 0 decimals/],
    [['wallet', 'deposit', '1', 'UGX', '-5'], /unknown option|not an amount/],
    [['wallet', 'deposit', '1', 'UGX', '5', '--note', ' '], /readable characters/],
    [['wallet', 'deposit', '1', 'UGX', '5', '--reference', 'a\nb'], /readable characters/],
    [['wallet', 'transfer', '1', 'UGX', '5'], /--from/],
    [['wallet', 'transfer', '1', 'UGX', '5', '--from', 'payout', '--to', 'payout'], /two different wallets/],
    [['wallet', 'transfer', '1', 'UGX', '5', '--from', 'bank', '--to', 'payout'], /collection or payout/],
    [['transaction', 'list', '--older-than', '1h'], /goes with --stuck/],
    [['transaction', 'list', '--stuck', '--status', 'FAILED'], /--stuck goes with/],
    [['callback', 'resend'], /say which/],
    [['callback', 'resend', '1', '--since', '1h'], /say which/],
    [['callback', 'resend', '1', '--status', 'STOPPED'], /go with --since/],
    [['callback', 'resend', '1', '--merchant', '1'], /goes with/],
    [['keys', 'rotate', '1'], /say which with --kind/],
    [['keys', 'rotate'], /either whose key or --rsa/],
    [['keys', 'rotate', '--rsa', '--kind', 'secret_key'], /goes without/],
    [['keys', 'rotate', '1', '--kind', 'password'], /one of secret_key/],
    [['keys', 'rotate', '1', '--kind', 'secret_key', '--keep-old', '91d'], /at most 90d/],
    [['keys', 'list'], /either whose keys or --rsa/],
    [['keys', 'withdraw'], /required option '--rsa <id>'/],
    [['keys', 'withdraw', '--rsa', 'the old one'], /16 hexadecimal digits/],
  ] as const)('wrong use ends with 2 and a hint: %j', async (args, hint) => {
    const { code, out, err } = await malipo(args, { MALIPO_DATA_DIR: join(home, 'never') })
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(hint)
  })
})

describe('with a gateway served', () => {
  let database: TestDatabase
  let env: Environment
  let client: pg.Client
  let gateway: ServedGateway
  let receiver: Receiver

  beforeAll(async () => {
    database = await createTestDatabase()
    env = environmentOf(database)
    client = new pg.Client(database.connection)
    await client.connect()
    gateway = await serve({ dataDir: home, port: await freePort(), env })
    receiver = await startReceiver()
  })
  afterAll(async () => {
    gateway?.child.kill('SIGTERM')
    await gateway?.exited
    await receiver?.close()
    await client?.end()
    await database?.drop()
  })

  interface Merchant {
    readonly id: number
    readonly public_key: string
    readonly secret_key: string
    readonly signing_key: string
    readonly webhook_secret: string
  }

  const api = (path: string, headers: Readonly<Record<string, string>>, body?: object) =>
    fetch(`${gateway.url}${path}`, {
      headers: { 'x-api-version': '1', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const balancesStatus = async ({ public_key }: Merchant, secretKey: string) =>
    (await api('/data/wallet-balances', { 'public-key': public_key, 'secret-key': secretKey })).status

  /** A merchant that the running server knows. */
  async function newMerchant(...options: readonly string[]): Promise<Merchant> {
    const merchant = await json<Merchant>(['merchant', 'create', 'Duka Moja', ...options], env)
    await until(
      async () => (await balancesStatus(merchant, merchant.secret_key)) === 200,
      DEADLINE_MS,
      'the server knows the merchant',
    )
    return merchant
  }

  async function collect({ public_key }: Merchant, reference: string, msisdn = '256772000123'): Promise<void> {
    const reply = await api(
      '/collections/initialize',
      { 'public-key': public_key },
      {
        transaction_method: 'MOBILE_MONEY',
        provider_code: 'mtn_ug',
        merchant_reference: reference,
        msisdn,
        currency: 'UGX',
        amount: 5000,
        description: 'Order at the desk',
      },
    )
    expect(reply.status, await reply.text()).toBe(202)
  }

  const become = (reference: string, status: string) =>
    until(
      async () =>
        (
          await client.query('select from transactions where merchant_reference = $1 and status = $2', [
            reference,
            status,
          ])
        ).rowCount === 1,
      DEADLINE_MS,
      `${reference} is ${status}`,
    )

  interface WalletRecord {
    readonly wallet_type: string
    readonly currency: string
    readonly available_balance: number
  }
  async function available(name: string, currency = 'UGX'): Promise<Record<string, number>> {
    const { wallets } = await json<{ wallets: WalletRecord[] }>(['wallet', 'show', name, '--currency', currency], env)
    return Object.fromEntries(wallets.map((wallet) => [wallet.wallet_type, wallet.available_balance]))
  }

  test('a deposit is in the payout wallet, with its note, and the API shows it', async () => {
    const { public_key, secret_key } = await newMerchant()
    const booked = await json<{ transfer_id: number; wallets: WalletRecord[] }>(
      ['wallet', 'deposit', public_key, 'kes', '1500.50', '--note', 'Bank transfer of 20 November'],
      env,
    )
    expect(booked.wallets).toContainEqual({
      wallet_type: 'MERCHANT_PAYOUT',
      currency: 'KES',
      available_balance: 1500.5,
      uncleared_balance: 0,
      reserve_balance: 0,
      actual_balance: 1500.5,
      held_balance: 0,
    })
    const shown = await json<{ operator_transfers: object[] }>(['wallet', 'show', public_key], env)
    expect(shown.operator_transfers).toEqual([
      expect.objectContaining({
        transfer_id: booked.transfer_id,
        kind: 'deposit',
        into: 'payout',
        currency: 'KES',
        amount: 1500.5,
        note: 'Bank transfer of 20 November',
      }),
    ])
    const { data } = (await (
      await api('/data/wallet-balances?currency=KES', { 'public-key': public_key, 'secret-key': secret_key })
    ).json()) as { data: { merchant_wallets: object[] } }
    expect(data.merchant_wallets).toContainEqual(
      expect.objectContaining({ wallet_type: 'MERCHANT_PAYOUT', available_balance: 1500.5, actual_balance: 1500.5 }),
    )
    const text = (await malipo(['wallet', 'show', public_key, '--currency', 'KES'], env)).out
    expect(text).toMatch(/^CURRENCY +WALLET +AVAILABLE +UNCLEARED +RESERVE +ACTUAL +HELD\n/)
    expect(text).toMatch(/KES +payout +1500\.50 +0\.00 +0\.00 +1500\.50 +0\.00/)
  })

  test('money moves between the wallets and back, and never more than there is', async () => {
    const { public_key } = await newMerchant()
    await malipo(['wallet', 'deposit', public_key, 'UGX', '1000'], env)
    const move = (amount: string, from: string, to: string) =>
      malipo(['wallet', 'transfer', public_key, 'UGX', amount, '--from', from, '--to', to], env)
    expect((await move('600', 'payout', 'collection')).out).toMatch(
      /^600 UGX moved from the payout to the collection wallet of Duka Moja \(transfer \d+\)\.\nAvailable now: collection 600 UGX, payout 400 UGX\.\n$/,
    )
    expect(await move('401', 'payout', 'collection')).toEqual({
      code: 1,
      out: '',
      err: 'malipo: the payout wallet of Duka Moja has 400 UGX available, less than 401 UGX.\nNothing was moved.\n',
    })
    expect((await move('600', 'collection', 'payout')).code).toBe(0)
    expect(await available(public_key)).toEqual({ MERCHANT_COLLECTION: 0, MERCHANT_PAYOUT: 1000 })
  })

  interface BookedRecord {
    readonly transfer_id: number
    readonly reference: string | null
    readonly booked_before: boolean
  }

  test('the same reference twice books a deposit once, says so and ends with 0', async () => {
    const { public_key } = await newMerchant()
    const deposit = ['wallet', 'deposit', public_key, 'UGX', '1000', '--reference', 'BANK-2026-11-20/17']
    const first = await json<BookedRecord>(deposit, env)
    expect(first).toMatchObject({ reference: 'BANK-2026-11-20/17', booked_before: false })
    const again = await malipo(deposit, env)
    expect([again.code, again.err]).toEqual([0, ''])
    expect(again.out).toMatch(
      new RegExp(
        `^Reference BANK-2026-11-20/17 was booked before, as transfer ${first.transfer_id} at \\S+ \\S+Z: nothing was booked now\\.\nAvailable now: `,
      ),
    )
    expect(await json<BookedRecord>([...deposit, '--note', 'once more'], env)).toMatchObject({
      transfer_id: first.transfer_id,
      booked_before: true,
    })
    expect(await available(public_key)).toMatchObject({ MERCHANT_PAYOUT: 1000 })
    const { operator_transfers } = await json<{ operator_transfers: object[] }>(['wallet', 'show', public_key], env)
    expect(operator_transfers).toEqual([
      expect.objectContaining({ transfer_id: first.transfer_id, reference: 'BANK-2026-11-20/17', note: null }),
    ])
    expect((await malipo(['wallet', 'show', public_key], env)).out).toMatch(/ REFERENCE +NOTE\n.* BANK-2026-11-20\/17/)
  })

  test('a transfer of all there is comes twice under one reference, and the second is no shortage', async () => {
    const { public_key } = await newMerchant()
    await malipo(['wallet', 'deposit', public_key, 'UGX', '1000'], env)
    const transfer = [
      'wallet',
      'transfer',
      public_key,
      'UGX',
      '1000',
      '--from',
      'payout',
      '--to',
      'collection',
      '--reference',
      'MOVE-ALL',
    ]
    const ends = await Promise.all([1, 2, 3].map(() => malipo(transfer, env)))
    expect(ends.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ])
    expect(ends.filter(({ out }) => out.includes('was booked before'))).toHaveLength(2)
    expect(await available(public_key)).toEqual({ MERCHANT_COLLECTION: 1000, MERCHANT_PAYOUT: 0 })
  })

  test('of deposits at one moment under one reference exactly one is booked', async () => {
    const { public_key } = await newMerchant()
    const booked = await Promise.all(
      [1, 2, 3, 4].map(() =>
        json<BookedRecord>(['wallet', 'deposit', public_key, 'UGX', '700', '--reference', 'AT-ONCE'], env),
      ),
    )
    expect(booked.map(({ booked_before }) => booked_before).sort((a, b) => Number(a) - Number(b))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(new Set(booked.map(({ transfer_id }) => transfer_id)).size).toBe(1)
    expect(await available(public_key)).toMatchObject({ MERCHANT_PAYOUT: 700 })
  })

  test('a reference that was used for another movement is refused: another amount, currency, merchant, direction or kind', async () => {
    const [{ public_key }, other] = [await newMerchant(), await newMerchant()]
    await malipo(['wallet', 'deposit', public_key, 'UGX', '1000', '--reference', 'USED-ONCE'], env)
    await malipo(
      [
        'wallet',
        'transfer',
        public_key,
        'UGX',
        '300',
        '--from',
        'payout',
        '--to',
        'collection',
        '--reference',
        'USED-TOO',
      ],
      env,
    )
    const refused = [
      ['deposit', public_key, 'UGX', '1001', '--reference', 'USED-ONCE'],
      ['deposit', public_key, 'KES', '1000', '--reference', 'USED-ONCE'],
      ['deposit', other.public_key, 'UGX', '1000', '--reference', 'USED-ONCE'],
      ['deposit', public_key, 'UGX', '300', '--reference', 'USED-TOO'],
      ['transfer', public_key, 'UGX', '300', '--from', 'collection', '--to', 'payout', '--reference', 'USED-TOO'],
      ['transfer', public_key, 'UGX', '1000', '--from', 'payout', '--to', 'collection', '--reference', 'USED-ONCE'],
    ]
    for (const args of refused) {
      const { code, out, err } = await malipo(['wallet', ...args], env)
      expect([code, out], args.join(' ')).toEqual([1, ''])
      expect(err).toMatch(
        /^malipo: the reference USED-(ONCE|TOO) was used before for another movement: transfer \d+ of \S+ \S+Z, (1000|300) UGX (deposited into the payout|moved into the collection) wallet of Duka Moja \(\d+\)\.\nNothing was booked\.\n$/,
      )
    }
    expect(await available(public_key)).toEqual({ MERCHANT_COLLECTION: 300, MERCHANT_PAYOUT: 700 })
    expect(await available(other.public_key)).toEqual({ MERCHANT_COLLECTION: 0, MERCHANT_PAYOUT: 0 })
  })

  test('of two transfers at once that together exceed the wallet, exactly one is booked', async () => {
    const { public_key } = await newMerchant()
    await malipo(['wallet', 'deposit', public_key, 'UGX', '1000'], env)
    const ends = await Promise.all(
      [1, 2].map(() =>
        malipo(['wallet', 'transfer', public_key, 'UGX', '600', '--from', 'payout', '--to', 'collection'], env),
      ),
    )
    expect(ends.map(({ code }) => code).sort((a, b) => Number(a) - Number(b))).toEqual([0, 1])
    expect(await available(public_key)).toEqual({ MERCHANT_COLLECTION: 600, MERCHANT_PAYOUT: 400 })
  })

  test('a start as root says once that a service user is better, any other start does not', async () => {
    const asRoot = process.geteuid?.() === 0
    await until(async () => !asRoot || gateway.output().includes('started as root'), DEADLINE_MS, 'it is said')
    expect(
      gateway.output().match(/started as root, which Malipo never needs: a service user of its own is better/g) ?? [],
    ).toHaveLength(asRoot ? 1 : 0)
  })

  test('a wallet, merchant or currency that does not exist ends with 3', async () => {
    for (const args of [
      ['wallet', 'show', 'pub_nobody'],
      ['wallet', 'deposit', 'pub_nobody', 'UGX', '5'],
      ['wallet', 'deposit', '1', 'XTS', '5'],
      ['keys', 'list', 'pub_nobody'],
      ['keys', 'rotate', 'pub_nobody', '--kind', 'secret_key'],
      ['callback', 'resend', '--transaction', 'NO-SUCH-REFERENCE'],
      ['transaction', 'list', '--stuck', '--merchant', 'pub_nobody'],
    ]) {
      const { code, out, err } = await malipo(args, env)
      expect([code, out], args.join(' ')).toEqual([3, ''])
      expect(err).toMatch(/^malipo: there is no .*\nSee/)
    }
  })

  test('stuck is what is PROCESSING for longer than 10 minutes, or another span', async () => {
    const merchant = await newMerchant()
    await collect(merchant, 'STUCK-0001', '256772000006')
    await become('STUCK-0001', 'PROCESSING')
    const stuck = async (...options: string[]) =>
      (
        await json<{ merchant_reference: string }[]>(
          ['transaction', 'list', '--stuck', '--merchant', merchant.public_key, ...options],
          env,
        )
      ).map((row) => row.merchant_reference)
    expect(await stuck()).toEqual([])
    expect(await stuck('--older-than', '0')).toEqual(['STUCK-0001'])
    // Accepted long ago, but the rail heard of it a moment ago: the customer took their time.
    await client.query(
      `update transactions set created_at = created_at - interval '11 minutes' where merchant_reference = 'STUCK-0001'`,
    )
    expect(await stuck()).toEqual([])
    await client.query('alter table transaction_events disable trigger append_only')
    await client.query(
      `update transaction_events e set at = at - interval '11 minutes' from transactions t where t.id = e.transaction_id and t.merchant_reference = 'STUCK-0001'`,
    )
    await client.query('alter table transaction_events enable trigger append_only')
    expect(await stuck()).toEqual(['STUCK-0001'])
    expect(await stuck('--older-than', '1h')).toEqual([])
    expect((await malipo(['transaction', 'list', '--stuck'], env)).out).toMatch(
      /^WAITS FOR +SINCE +FOR +REFERENCE.*\nrail .* 11 min +STUCK-0001 +COLLECTION/,
    )
  })

  interface CallbackRecord {
    readonly id: number
    readonly status: string
    readonly attempts: number
    readonly webhook_id: string
  }
  const callbacksOf = (reference: string) =>
    json<CallbackRecord[]>(['callback', 'list', '--transaction', reference], env)
  const deliveredTimes = (reference: string, attempts: number) =>
    until(
      async () =>
        (
          await client.query(
            `select from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1 and c.status = 'DELIVERED' and c.attempts = $2`,
            [reference, attempts],
          )
        ).rowCount === 1,
      DEADLINE_MS,
      `${reference} is delivered, attempt ${attempts}`,
    )

  test('callbacks are sent again by transaction, and by time, status and merchant', async () => {
    const merchant = await newMerchant('--collection-callback-url', receiver.url)
    for (const reference of ['AGAIN-0001', 'AGAIN-0002']) {
      await collect(merchant, reference)
      await deliveredTimes(reference, 1)
    }
    const [{ id: first }, { id: second }] = [
      (await callbacksOf('AGAIN-0001'))[0]!,
      (await callbacksOf('AGAIN-0002'))[0]!,
    ]
    expect(await json(['callback', 'resend', '--transaction', 'AGAIN-0001'], env)).toEqual({
      resent: 1,
      without_url: 0,
      callbacks: [first],
    })
    await deliveredTimes('AGAIN-0001', 2)

    const since = ['callback', 'resend', '--since', '1h', '--merchant', merchant.public_key]
    expect(await json([...since, '--status', 'stopped'], env)).toEqual({ resent: 0, without_url: 0, callbacks: [] })
    expect(await json([...since, '--until', '30m'], env)).toEqual({ resent: 0, without_url: 0, callbacks: [] })
    expect((await malipo([...since, '--status', 'delivered'], env)).out).toMatch(
      /^2 callbacks go out within seconds\.\nWatch/,
    )
    await deliveredTimes('AGAIN-0001', 3)
    await deliveredTimes('AGAIN-0002', 2)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([5, 2])
    expect([first, second].every(Number.isInteger)).toBe(true)
  })

  test('a callback waits while its merchant has no URL; once one is set a resend delivers it, and its attempt tells where it went', async () => {
    const merchant = await newMerchant()
    await collect(merchant, 'WAITS-0001')
    const stopped = async () => (await callbacksOf('WAITS-0001')).filter(({ status }) => status === 'STOPPED')
    await until(async () => (await stopped()).length === 1, DEADLINE_MS, 'the callback is kept')
    const [{ id }] = (await stopped()) as [CallbackRecord]
    expect(await stopped()).toMatchObject([
      { attempts: 0, url: '', next_attempt_at: null, waits_for_url: true, attempts_made: [] },
    ])
    expect((await malipo(['callback', 'list', '--transaction', 'WAITS-0001'], env)).out).toMatch(
      / STOPPED +0 +- +\(none\)$/m,
    )
    const show = async () => (await malipo(['callback', 'show', String(id)], env)).out
    expect(await show()).toMatch(
      new RegExp(
        `^waits +for the merchant to have a URL: set one with malipo merchant set, then malipo callback resend ${id}$`,
        'm',
      ),
    )
    expect((await malipo(['callback', 'resend', String(id)], env)).out).toMatch(
      /^The merchant has no URL for callback \d+ .*: it goes on waiting\.\n/,
    )
    await until(async () => (await stopped()).length === 1, DEADLINE_MS, 'the resend without a URL has ended')
    const many = ['callback', 'resend', '--since', '1h', '--merchant', merchant.public_key]
    expect((await malipo(many, env)).out).toBe(
      '1 of 1 goes on waiting: the merchant has no URL for it. Set one with malipo merchant set, then send again.\n',
    )
    expect(await json<CallbackRecord[]>(['callback', 'list', '--merchant', merchant.public_key], env)).toMatchObject([
      { id },
    ])
    expect((await malipo(['callback', 'list', '--merchant', 'pub_nobody'], env)).code).toBe(3)
    expect(await json(['merchant', 'show', merchant.public_key], env)).toMatchObject({ callbacks_failing: [] })
    expect(await json<Checked>(['doctor'], env)).toMatchObject({ clean: true })

    await malipo(
      ['merchant', 'set', merchant.public_key, '--collection-callback-url', `${receiver.url}?token=not-for-everybody`],
      env,
    )
    await until(async () => (await stopped()).length === 1, DEADLINE_MS, 'the resend without a URL has ended')
    expect(await show()).toMatch(
      new RegExp(`^waits +to be sent to the URL that the merchant has now: malipo callback resend ${id}$`, 'm'),
    )
    const { out } = await malipo(['callback', 'resend', '--since', '1h', '--merchant', merchant.public_key], env)
    expect(out).toMatch(/^1 callback goes out within seconds\.\n/)
    await deliveredTimes('WAITS-0001', 1)
    expect(receiver.received.at(-1)).toMatchObject({
      path: '/callbacks?token=not-for-everybody',
      json: { payload: { merchant_reference: 'WAITS-0001' } },
    })
    expect(await callbacksOf('WAITS-0001')).toMatchObject([
      {
        waits_for_url: false,
        url: `${receiver.url}?token=***`,
        attempts_made: [{ attempt: 1, url: `${receiver.url}?token=***`, http_status: 200 }],
      },
    ])
    expect(await show()).toMatch(/^ATTEMPT +AT +MS +HTTP +URL +ERROR +REPLY\n +1 .*\?token=\*\*\*/m)
    expect(await show()).not.toContain('not-for-everybody')
  })

  test('more than 100 callbacks at once are asked back, and then all are sent', async () => {
    const { id } = await newMerchant()
    await client.query(
      `
      with t as (
        insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor, currency, amount_minor, charge_minor,
          total_minor, charge_customer, allow_final_status_change, description, status, status_message, created_at, final_at)
        select nextval('transaction_ids'), $1, 'MANY-' || n, 'MANY-INTERNAL-' || n, 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '256772000002', 'UGX', 500, 'UGX', 500, 5, 495, false, false, 'Many', 'FAILED', 'No', now(), now()
        from generate_series(1, 101) n returning id, merchant_id, merchant_reference
      ), r as (insert into transaction_references (merchant_id, merchant_reference, transaction_id) select merchant_id, merchant_reference, id from t)
      insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, attempts, created_at, finished_at)
      select 'cb_many_' || id, id, merchant_id, 'transaction.failed', $2, '{"event":"transaction.failed","payload":{"transaction_status":"FAILED"}}', 'STOPPED', 10, now(), now() from t`,
      [id, receiver.url],
    )
    const args = ['callback', 'resend', '--since', '1h', '--status', 'STOPPED', '--merchant', String(id)]
    expect(await malipo(args, env)).toEqual({
      code: 2,
      out: '',
      err: 'malipo: that is 101 callbacks; nothing was sent.\nAdd --yes to send them all.\n',
    })
    expect(await json([...args, '--yes'], env)).toMatchObject({ resent: 101 })
    await until(
      async () =>
        (await client.query(`select from callbacks where merchant_id = $1 and status = 'DELIVERED'`, [id])).rowCount ===
        101,
      DEADLINE_MS,
      'all are delivered',
    )
  })

  interface KeyRecord {
    readonly id: number
    readonly kind: string
    readonly valid: boolean
    readonly expires_at: string | null
  }
  const validKeys = async ({ public_key }: Merchant, kind: string) =>
    (await json<KeyRecord[]>(['keys', 'list', public_key], env)).filter((key) => key.kind === kind && key.valid)

  test('a rotated secret key works within a second, the old one for the time it is kept, and at most two are valid', async () => {
    const merchant = await newMerchant()
    const rotate = (...options: string[]) =>
      json<{ id: number; secret_key: string; replaced: KeyRecord[] }>(
        ['keys', 'rotate', merchant.public_key, '--kind', 'secret_key', ...options],
        env,
      )
    const second = await rotate()
    const rotatedAt = performance.now()
    await until(
      async () => (await balancesStatus(merchant, second.secret_key)) === 200,
      DEADLINE_MS,
      'the new key works',
    )
    expect(performance.now() - rotatedAt).toBeLessThan(1_000)
    expect(await balancesStatus(merchant, merchant.secret_key)).toBe(200)
    expect(Date.parse(second.replaced[0]!.expires_at!) - Date.now()).toBeGreaterThan(DAY_MS - 60_000)

    const third = await rotate('--keep-old', '1h')
    await until(
      async () => (await balancesStatus(merchant, merchant.secret_key)) === 401,
      1_000,
      'the oldest key ended at once',
    )
    expect([
      await balancesStatus(merchant, second.secret_key),
      await balancesStatus(merchant, third.secret_key),
    ]).toEqual([200, 200])
    expect((await validKeys(merchant, 'secret_key')).map(({ id }) => id)).toEqual([third.id, second.id])

    const fourth = await rotate('--keep-old', '0')
    await until(
      async () => (await balancesStatus(merchant, third.secret_key)) === 401,
      1_000,
      'the replaced key ended at once',
    )
    expect(await balancesStatus(merchant, fourth.secret_key)).toBe(200)
    expect((await validKeys(merchant, 'secret_key')).map(({ id }) => id)).toEqual([fourth.id])
    const listed =
      (await malipo(['keys', 'list', merchant.public_key], env)).out +
      JSON.stringify(await json(['merchant', 'show', merchant.public_key], env))
    for (const secret of [
      merchant.secret_key,
      second.secret_key,
      third.secret_key,
      fourth.secret_key,
      merchant.signing_key,
    ])
      expect(listed).not.toContain(secret)
  })

  test('an old key that is kept for two seconds ends by itself on the running server', async () => {
    const merchant = await newMerchant()
    await malipo(['keys', 'rotate', merchant.public_key, '--kind', 'secret_key', '--keep-old', '2s'], env)
    expect(await balancesStatus(merchant, merchant.secret_key)).toBe(200)
    await until(
      async () => (await balancesStatus(merchant, merchant.secret_key)) === 401,
      4_000,
      'the old key has ended',
    )
  })

  test('a rotated signing key: the old one signs until it ends, and the command says so; with nothing kept the new one signs at once', async () => {
    const merchant = await newMerchant('--collection-callback-url', receiver.url)
    const signed = async (reference: string) => {
      const before = receiver.received.length
      await collect(merchant, reference)
      await deliveredTimes(reference, 1)
      const { headers, json: body } = receiver.received.slice(before)[0]!
      const { merchant_reference, internal_reference, transaction_type, transaction_status } = body.payload
      const text = [body.event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')
      return (key: string) =>
        String(headers['hmac-signature']).endsWith(`,s=${createHmac('sha256', key).update(text).digest('hex')}`)
    }
    const kept = await malipo(['keys', 'rotate', merchant.public_key, '--kind', 'signing_key', '--keep-old', '1h'], env)
    expect(kept.out).toMatch(
      /\nCallbacks and redirects: key \d+ signs until \S+ \S+Z, then key \d+\. Until then the receivers must accept both the old and the new\.\n$/,
    )
    expect((await signed('OLDSIGNS-0001'))(merchant.signing_key)).toBe(true)

    const atOnce = await malipo(
      ['keys', 'rotate', merchant.public_key, '--kind', 'signing_key', '--keep-old', '0'],
      env,
    )
    expect(atOnce.out).toMatch(
      /\nKey \d+ is no longer valid\.\nKey \d+ is no longer valid\.\nCallbacks and redirects are signed with key \d+ at once: the receivers must know it now\.\n$/,
    )
    const newest = /signing key +(\S+)/.exec(atOnce.out)![1]!
    let tries = 0
    await until(async () => (await signed(`NEWSIGNS-${++tries}0000`))(newest), DEADLINE_MS, 'the new key signs')
  })

  test('callbacks carry one signature per valid webhook secret', async () => {
    const merchant = await newMerchant('--collection-callback-url', receiver.url)
    const { out } = await malipo(['keys', 'rotate', merchant.public_key, '--kind', 'webhook_secret'], env)
    expect(out).toMatch(
      /has a new webhook_secret, key \d+; .*\n\nwebhook secret +whsec_\S+\n\nKeep it now: it is shown this once and never again\.\nKey \d+ stays valid until /,
    )
    await json(['keys', 'rotate', merchant.public_key, '--kind', 'signing_key'], env)
    await new Promise((resolve) => setTimeout(resolve, 1_000)) // the promise of the command: known within a second
    const before = receiver.received.length
    await collect(merchant, 'SIGNED-0001')
    await deliveredTimes('SIGNED-0001', 1)
    const signatures = receiver.received.slice(before).map(({ headers }) => headers['webhook-signature'] as string)
    expect(signatures.map((signature) => signature.split(' ').length)).toEqual([2])
    expect(await validKeys(merchant, 'signing_key')).toHaveLength(2)
  })

  test('a new RSA key signs and is served within a second; the one before it is still known', async () => {
    const served = async () => (await (await fetch(`${gateway.url}/.well-known/malipo-rsa.pem`)).text()).trim()
    const before = await served()
    const rotated = await json<{ id: string; public_pem: string }>(['keys', 'rotate', '--rsa'], env)
    await until(async () => (await served()) === rotated.public_pem.trim(), 1_000, 'the new key is served')
    const listed = await json<{ id: string; public_pem: string; signs: boolean }[]>(['keys', 'list', '--rsa'], env)
    expect(listed.map(({ public_pem, signs }) => [public_pem.trim(), signs])).toEqual([
      [rotated.public_pem.trim(), true],
      [before, false],
    ])
    const pool = createPool({ connection: database.connection, connectionsMax: 7, onError: () => undefined })
    const reference = await loadReferenceData({
      pool,
      box: createSecretBox(MASTER_KEY, { bytes: randomBytes }),
      clock: { now: () => new Date() },
      sandbox: true,
    })
    await pool.end()
    expect(reference.rsaPublicKeys()).toEqual(listed.map(({ id, public_pem }) => ({ id, pem: public_pem })))
    expect(reference.rsaSigningKey().id).toBe(rotated.id)
    for (const { id, public_pem } of listed) {
      const reply = await fetch(`${gateway.url}/.well-known/malipo-rsa/${id}.pem`)
      expect([reply.status, await reply.text()]).toEqual([200, public_pem])
      expect((await malipo(['keys', 'list', '--rsa'], env)).out).toMatch(new RegExp(`^${id} `, 'm'))
    }
  })

  test('an RSA key that leaked is withdrawn after it was replaced, and answers 410 within a second', async () => {
    const keyAt = async (id: string) => (await fetch(`${gateway.url}/.well-known/malipo-rsa/${id}.pem`)).status
    const { id: leaked } = await json<{ id: string }>(['keys', 'rotate', '--rsa'], env)
    const tooSoon = await malipo(['keys', 'withdraw', '--rsa', leaked], env)
    expect([tooSoon.code, tooSoon.out]).toEqual([1, ''])
    expect(tooSoon.err).toMatch(/is the one that signs\. Make its successor with `malipo keys rotate --rsa`/)
    expect(await keyAt(leaked)).toBe(200)

    const { id } = await json<{ id: string }>(['keys', 'rotate', '--rsa'], env)
    const done = await malipo(['keys', 'withdraw', '--rsa', leaked.toUpperCase()], env)
    expect([done.code, done.err]).toEqual([0, ''])
    expect(done.out).toContain(`RSA key ${leaked} is withdrawn`)
    await until(async () => (await keyAt(leaked)) === 410, 1_000, 'the withdrawn key is gone')
    expect(await keyAt(id)).toBe(200)

    const listed = await json<{ id: string; signs: boolean; withdrawn_at: string | null }[]>(
      ['keys', 'list', '--rsa'],
      env,
    )
    expect(listed.slice(0, 2)).toMatchObject([
      { id, signs: true, withdrawn_at: null },
      { id: leaked, signs: false, withdrawn_at: expect.stringMatching(/^\d{4}-/) as string },
    ])
    expect((await malipo(['keys', 'list', '--rsa'], env)).out).toMatch(new RegExp(`^${leaked} .* no +\\S+ \\S+Z$`, 'm'))
    const again = await json<{ withdrawn_at: string }>(['keys', 'withdraw', '--rsa', leaked], env)
    expect(again.withdrawn_at).toBe(listed[1]!.withdrawn_at)
    expect(await malipo(['keys', 'withdraw', '--rsa', '0123456789abcdef'], env)).toMatchObject({
      code: 3,
      err: expect.stringContaining('there is no RSA key 0123456789abcdef') as string,
    })
  })

  test('a URL that acknowledged nothing for 5 days is failing, until something is acknowledged or the URL changes', async () => {
    const url = `${receiver.url}/dead`
    const { id, public_key } = await newMerchant('--collection-callback-url', url)
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
    async function addCallback(
      days: number,
      status: 'DELIVERED' | 'STOPPED',
      httpStatus: number | null,
    ): Promise<void> {
      await client.query(
        `
        with c as (
          insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, attempts, created_at, finished_at)
          select 'cb_' || gen_random_uuid(), -1, $1, 'transaction.failed', $2, '{}', $3, 1, $4, $4 returning id
        ) insert into callback_attempts (callback_id, attempt, at, duration_ms, http_status, error) select id, 1, $4, 20, $5, null from c`,
        [id, url, status, daysAgo(days), httpStatus],
      )
    }
    const failing = async () =>
      (await json<{ callbacks_failing: { url: string; since: string }[] }>(['merchant', 'show', public_key], env))
        .callbacks_failing
    await addCallback(9, 'STOPPED', 503)
    await addCallback(8, 'DELIVERED', 200)
    await addCallback(4, 'STOPPED', null)
    expect(await failing()).toEqual([]) // failing for 4 days: the attempts before that were acknowledged
    await addCallback(6, 'STOPPED', 500)
    const [found, ...others] = await failing()
    expect([found!.url, others]).toEqual([url, []])
    expect(Math.abs(Date.parse(found!.since) - daysAgo(6).getTime())).toBeLessThan(60_000)
    expect((await malipo(['merchant', 'show', public_key], env)).out).toMatch(
      /callbacks failing +since \S+ \S+Z: nothing acknowledged at /,
    )

    await malipo(['merchant', 'set', public_key, '--collection-callback-url', `${receiver.url}/corrected`], env)
    expect(await failing()).toEqual([])
    await malipo(['merchant', 'set', public_key, '--collection-callback-url', url], env)
    expect(await failing()).toHaveLength(1)
    await addCallback(1, 'DELIVERED', 204)
    expect(await failing()).toEqual([])
    await client.query('delete from callbacks where transaction_id = -1')
  })

  interface Checked {
    readonly clean: boolean
    readonly checks: {
      readonly name: string
      readonly ok: boolean
      readonly found: number
      readonly examples: string[]
    }[]
  }

  test('the doctor finds a busy gateway clean', async () => {
    const merchant = await newMerchant('--collection-callback-url', receiver.url)
    for (const n of [1, 2, 3, 4]) await collect(merchant, `CLEAN-000${n}`, n === 4 ? '256772000002' : '256772000123')
    const during = await json<Checked>(['doctor'], env)
    expect(during.checks.filter(({ ok }) => !ok)).toEqual([])
    await become('CLEAN-0001', 'COMPLETED')

    // Paid, refused by the operator, and on its way. The demo merchant's verification URL is the inbox.
    const payouts = { 'PAID-0001': '256772003123', 'PAID-0002': '256772003002', 'PAID-0006': '256772003006' }
    for (const [reference, accountNumber] of Object.entries(payouts)) {
      const reply = await api(
        '/payout/send-funds',
        { 'public-key': 'pub_sandbox_demo', 'secret-key': 'sec_sandbox_demo' },
        {
          transaction_method: 'MOBILE_MONEY',
          provider_code: 'mtn_ug',
          merchant_reference: reference,
          account_number: accountNumber,
          currency: 'UGX',
          amount: 20_000,
          customer_name: 'Ada Obi',
          description: 'Salary of March',
        },
      )
      expect(reply.status, await reply.text()).toBe(202)
    }
    for (const [reference, status] of [
      ['PAID-0001', 'COMPLETED'],
      ['PAID-0002', 'FAILED'],
      ['PAID-0006', 'PROCESSING'],
    ] as const)
      await become(reference, status)
    const { wallets } = await json<{ wallets: object[] }>(
      ['wallet', 'show', 'pub_sandbox_demo', '--currency', 'UGX'],
      env,
    )
    expect(wallets).toContainEqual(expect.objectContaining({ wallet_type: 'MERCHANT_PAYOUT', held_balance: 20_100 }))

    const { code, out } = await malipo(['doctor'], env)
    expect(code, out).toBe(0)
    expect(out).toMatch(/^(ok {5}.*\n){21,}\nClean: \d+ checks in \d+ ms\.\n$/)
  })
})

describe('a new master key', () => {
  const NEW_MASTER_KEY = 'another master key for tests, nothing real'
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database?.drop())

  test('keys reseal needs the old one, seals everything once, and then the old one is refused', async () => {
    const old = environmentOf(database)
    const next = { ...old, MALIPO_MASTER_KEY: NEW_MASTER_KEY }
    const reseal = (env: Environment) => malipo(['keys', 'reseal'], env)
    expect(await reseal(next)).toEqual({
      code: 1,
      out: '',
      err: 'malipo: MALIPO_MASTER_KEY is not the key that this database was written with, and no other was given.\nGive that one as MALIPO_MASTER_KEY_OLD. Nothing was changed.\n',
    })
    const wrong = await reseal({ ...next, MALIPO_MASTER_KEY_OLD: 'a third key, which nobody ever used here' })
    expect([wrong.code, wrong.out]).toEqual([1, ''])
    expect(wrong.err).toMatch(
      /^malipo: neither master key opens the sealed signing_key of merchant 1: MALIPO_MASTER_KEY_OLD must be the key .*\.\nNothing was changed\.\n$/,
    )
    expect((await malipo(['merchant', 'create', 'Bado'], old)).code).toBe(0)

    const both = { ...next, MALIPO_MASTER_KEY_OLD: MASTER_KEY }
    const done = await reseal(both)
    expect([done.code, done.err]).toEqual([0, ''])
    expect(done.out).toMatch(
      /^Sealed anew: 4 signing keys and webhook secrets, 1 RSA key, 1 digest key; 0 had this master key already\.\nNow start every server and worker again with this MALIPO_MASTER_KEY\. Until then /,
    )
    expect((await reseal(both)).out).toBe('Nothing to do: all 6 secrets are sealed with this master key.\n')
    expect(await json(['keys', 'reseal'], next)).toEqual({
      merchant_secrets: 0,
      rsa_keys: 0,
      digest_keys: 0,
      sealed_already: 6,
    })
    expect((await malipo(['merchant', 'create', 'Mpya'], next)).code).toBe(0)
    expect((await malipo(['merchant', 'create', 'Zamani'], old)).err).toMatch(
      /^malipo: MALIPO_MASTER_KEY is not the key that this database was written with/,
    )
  })
})

describe('the doctor finds', () => {
  /** A database with completed, failed and hanging collections and a deposit, all settled and nothing running. */
  let database: TestDatabase
  let env: Environment
  let client: pg.Client

  beforeAll(async () => {
    database = await createTestDatabase()
    env = environmentOf(database)
    client = new pg.Client(database.connection)
    await client.connect()
    const gateway = await serve({ dataDir: home, port: await freePort(), env })
    const collection = (msisdn: string) =>
      fetch(`${gateway.url}/collections/initialize`, {
        method: 'POST',
        headers: { 'x-api-version': '1', 'public-key': 'pub_sandbox_demo', 'content-type': 'application/json' },
        body: JSON.stringify({
          transaction_method: 'MOBILE_MONEY',
          provider_code: 'mtn_ug',
          merchant_reference: 'auto',
          msisdn,
          currency: 'UGX',
          amount: 5000,
          description: 'Order at the desk',
        }),
      })
    for (const msisdn of ['256772000123', '256772001123', '256772000002', '256772000006'])
      expect((await collection(msisdn)).status).toBe(202)
    await until(
      async () => (await client.query(`select from callbacks where status = 'DELIVERED'`)).rowCount === 3,
      DEADLINE_MS,
      'three callbacks are delivered',
    )
    gateway.child.kill('SIGTERM')
    await gateway.exited
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })

  const check = async () => {
    const { code, out, err } = await malipo(['doctor', '--json'], env)
    const { clean, checks } = JSON.parse(out || `{"checks":[],"err":${JSON.stringify(err)}}`) as {
      clean: boolean
      checks: { name: string; ok: boolean; found: number; examples: string[] }[]
    }
    return { code, clean, broken: checks.filter(({ ok }) => !ok) }
  }

  const A_COMPLETED = `(select min(id) from transactions where status = 'COMPLETED')`
  const A_FAILED = `(select min(id) from transactions where status = 'FAILED')`
  const THE_OPEN = `(select id from transactions where status = 'PROCESSING')`
  const ITS_TRANSFER = `(select id from transfers where kind = 'collection' and transaction_id = ${A_COMPLETED})`
  const A_PAYOUT = (
    status: string,
  ) => `insert into transactions select nextval('transaction_ids'), merchant_id, 'PAYOUT-0001', 'MLPPAYOUT', 'PAYOUT' as type, method, provider_code, account, request_currency, request_amount_minor, currency,
    amount_minor, charge_minor, total_minor, charge_customer, allow_final_status_change, customer_name, customer_email, description, redirect_url, institution_name, '${status}', status_message, created_at, final_at from transactions where id = ${A_COMPLETED};
    insert into transaction_references select merchant_id, merchant_reference, id from transactions where type = 'PAYOUT'`

  test.each<[what: string, breaking: string, broken: readonly string[], example: RegExp]>([
    [
      'an entry that was changed',
      'update entries set amount_minor = amount_minor + 1 where id = (select min(id) from entries)',
      ['transfers_sum_to_zero', 'balances_equal_replay'],
      /^transfer \d+ sums to 1$/,
    ],
    [
      'a transfer in two currencies',
      `update entries set account_id = (select id from accounts where kind = 'operator' and currency = 'KES') where transfer_id = ${ITS_TRANSFER} and amount_minor < 0`,
      ['transfers_sum_to_zero', 'balances_equal_replay', 'transfers_explained', 'collections_booked'],
      /sums to 0 in several currencies$/,
    ],
    [
      'a transfer without entries',
      `insert into transfers (id, kind, created_at) values (nextval('transfer_ids'), 'deposit', now())`,
      ['transfers_whole'],
      /^transfer \d+ has no entries$/,
    ],
    [
      'entries without a transfer',
      `delete from transfers where kind = 'deposit' and id = (select min(id) from transfers where kind = 'deposit')`,
      ['transfers_whole'],
      /has entries and no row$/,
    ],
    [
      'a balance that was changed',
      `update accounts set balance_minor = balance_minor + 7 where kind = 'charges'`,
      ['book_sums_to_zero', 'balances_equal_replay'],
      /UGX sums to 7 minor units/,
    ],
    [
      'a wallet below zero',
      `update accounts set balance_minor = -5 where kind = 'collection_reserve' and currency = 'UGX'`,
      ['book_sums_to_zero', 'balances_equal_replay', 'wallets_not_negative'],
      /collection_reserve UGX of merchant 1\) has -5/,
    ],
    [
      'a completed collection without its money',
      `delete from entries where transfer_id = ${ITS_TRANSFER}; delete from transfers where id = ${ITS_TRANSFER}`,
      ['balances_equal_replay', 'collections_booked'],
      /COMPLETED\) is not booked$/,
    ],
    [
      'a failed collection with money',
      `update transactions set status = 'FAILED' where id = ${A_COMPLETED}`,
      ['collections_booked', 'limits_counted', 'callbacks_told'],
      /FAILED\) is booked$/,
    ],
    [
      'a collection booked twice',
      `update transfers set transaction_id = ${A_COMPLETED} where kind = 'collection'`,
      ['collections_booked'],
      /is booked more than once$/,
    ],
    [
      'a collection booked with another amount',
      `update transactions set total_minor = total_minor - 1 where id = ${A_COMPLETED}`,
      ['collections_booked'],
      /credit of 4950 to merchant 1 out of 5000, not 4949/,
    ],
    [
      'a payout that was never paid for',
      A_PAYOUT('COMPLETED'),
      ['payouts_booked', 'limits_counted', 'callbacks_told'],
      /of 5000 \(with charge 4950\) took 0 from the wallet, holds 0, paid 0$/,
    ],
    [
      'work without its transaction',
      `insert into work (kind, subject_id, due_at) values ('askRail', 999999999, now() + interval '1 hour')`,
      ['work_has_subject'],
      /\(askRail\) is about transaction 999999999, which does not exist/,
    ],
    [
      'work without its callback',
      `insert into work (kind, subject_id, due_at) values ('deliverCallback', 999999999, now() + interval '1 hour')`,
      ['work_has_subject'],
      /is about callback 999999999/,
    ],
    [
      'a PROCESSING transaction without work',
      `delete from work where subject_id = ${THE_OPEN}`,
      ['open_transactions_have_work'],
      /PROCESSING\) has no work$/,
    ],
    [
      'a lease that nobody took over',
      `update work set due_at = now() - interval '3 minutes', attempt = 1 where subject_id = ${THE_OPEN}`,
      ['leases_taken_over'],
      /attempt 1\) is due since \d{4}-/,
    ],
    [
      'a PENDING callback without work',
      `update callbacks set status = 'PENDING' where id = (select min(id) from callbacks)`,
      ['pending_callbacks_have_work'],
      /^callback \d+ of transaction \d+ has no work$/,
    ],
    [
      'a reference without its transaction',
      `insert into transaction_references (merchant_id, merchant_reference, transaction_id) values (1, 'GHOST-0001', 999999999)`,
      ['references_match'],
      /^reference GHOST-0001 of merchant 1 is taken by transaction 999999999/,
    ],
    [
      'a transaction without its reference',
      `delete from transaction_references where transaction_id = ${A_FAILED}`,
      ['references_match'],
      /does not hold its reference$/,
    ],
  ])('%s', async (_what, breaking, expected, example) => {
    const copies = ['accounts', 'transfers', 'entries', 'transactions', 'transaction_references', 'work', 'callbacks']
    await client.query(`
      ${copies.map((table) => `create table copy_of_${table} as select * from ${table};`).join('\n')}
      alter table entries disable trigger user; alter table transfers disable trigger user;
      alter table accounts drop constraint if exists accounts_check; alter table transfers drop constraint if exists transfers_kind_transaction_id_key;`)
    const restored = copies.map(
      (table) =>
        `delete from ${table}; insert into ${table} overriding system value select * from copy_of_${table}; drop table copy_of_${table};`,
    )
    const whileBroken = async () => {
      try {
        await client.query(breaking)
        return await check()
      } finally {
        await client.query(restored.join('\n'))
      }
    }
    const { code, clean, broken } = await whileBroken()
    expect([code, clean]).toEqual([1, false])
    expect(broken.map(({ name }) => name)).toEqual(expected)
    expect(broken.flatMap(({ examples }) => examples)).toContainEqual(expect.stringMatching(example))
  })

  test('no fault where there is none, and names the rule and the first five examples where there are more', async () => {
    expect(await check()).toEqual({ code: 0, clean: true, broken: [] })
    await client.query(
      `insert into transaction_references (merchant_id, merchant_reference, transaction_id) select 1, 'GHOST-' || n, 999999000 + n from generate_series(1, 7) n`,
    )
    const { code, out } = await malipo(['doctor'], env)
    await client.query(`delete from transaction_references where merchant_reference like 'GHOST-%'`)
    expect(code).toBe(1)
    expect(out).toMatch(
      /\nWRONG {2}every transaction holds its merchant reference, every reference its transaction: 7 do not\n( {9}reference GHOST.*\n){5} {9}and 2 more\n(ok {5}.*\n)*\nNot clean: 1 of \d+ rules are broken\.\n$/,
    )
  })
})
