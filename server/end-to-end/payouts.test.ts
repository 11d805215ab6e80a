import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMalipo, type Malipo, type PayoutRequest, type Transaction } from '../../client/index.ts'
import type { Gateway } from '../main.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { DEMO_KEYS, fixedClock, startTestGateway, type FixedClock } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { postJson, uniqueMsisdn, uniqueReference } from '../testing/requests.ts'

// The life of a payout through the real thing: our client, HTTP, PostgreSQL, the merchant's verification URL, simulated
// rail, callback.

let database: TestDatabase
let gateway: Gateway
let clock: FixedClock
let receiver: Receiver
let verification: Verification
let malipo: Malipo

/** A merchant's verification URL on a real port. */
interface Verification {
  readonly url: string
  readonly asked: IncomingMessage[]
  answer: (() => number) | 'hang' | 'reset'
  close(): Promise<void>
}

async function startVerification(): Promise<Verification> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    const { answer } = verification
    if (answer === 'hang') return
    if (answer === 'reset') return void request.socket.destroy()
    response.writeHead(answer(), { location: 'http://127.0.0.1:1/' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/verify?shop=7`,
    asked,
    answer: () => 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

beforeAll(async () => {
  database = await createTestDatabase()
  clock = fixedClock()
  receiver = await startReceiver()
  verification = await startVerification()
  gateway = await startTestGateway({
    connection: database.connection,
    surroundings: { clock },
    env: { MALIPO_RATE_LIMIT: '100000' },
  })
  await gateway.pool.query('update merchants set payout_callback_url = $1, verification_url = $2', [
    receiver.url,
    verification.url,
  ])
  await gateway.refresh()
  malipo = createMalipo({
    baseUrl: gateway.url,
    publicKey: DEMO_KEYS['public-key'],
    secretKey: DEMO_KEYS['secret-key'],
  })
})
beforeEach(() => {
  receiver.received.length = 0
  verification.asked.length = 0
  verification.answer = () => 200
})
afterAll(async () => {
  await gateway?.stop()
  await receiver?.close()
  await verification?.close()
  await database?.drop()
})

const mobileMoneyPayout = (ending = '123', changes: object = {}) =>
  ({
    transaction_method: 'MOBILE_MONEY',
    merchant_reference: uniqueReference(),
    currency: 'UGX',
    amount: 20_000,
    provider_code: 'mtn_ug',
    account_number: uniqueMsisdn(ending),
    customer_name: 'Amina Nakato',
    description: 'Refund of an order',
    ...changes,
  }) as PayoutRequest
const bankPayout = (changes: object = {}) =>
  ({
    transaction_method: 'BANK',
    merchant_reference: uniqueReference(),
    currency: 'NGN',
    amount: 5000,
    provider_code: 'bank_ng',
    account_number: '0123456123',
    customer_name: 'Ada Obi',
    description: 'Salary of March',
    extra_params: { bank_code: 'access_bank_ng', branch_code: '044-150149' },
    ...changes,
  }) as PayoutRequest

async function after(ms: number): Promise<void> {
  await gateway.runDue()
  clock.advance(ms)
  await gateway.runDue()
}
async function paid(request: PayoutRequest, waitMs = 1000): Promise<Transaction> {
  await malipo.payouts.send(request)
  await after(waitMs)
  return malipo.transactions.verify(request.merchant_reference)
}
const balance = async (currency = 'UGX'): Promise<number> =>
  (await malipo.wallets.list({ currency })).find(({ wallet_type }) => wallet_type === 'MERCHANT_PAYOUT')!
    .available_balance
const heldMinor = async (): Promise<bigint> =>
  (
    await gateway.pool.query<{ held: bigint }>(
      `select coalesce(sum(balance_minor), 0)::bigint as held from accounts where kind = 'payout_held'`,
    )
  ).rows[0]!.held
const callbacksOf = (reference: string) =>
  receiver.received.filter(({ json }) => json.payload.merchant_reference === reference)
const transfersOf = async (reference: string): Promise<number> =>
  (
    await gateway.pool.query<{ n: number }>(
      'select coalesce(sum(o.transfers), 0)::int as n from sandbox.orders o join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1',
      [reference],
    )
  ).rows[0]!.n

describe('a payout', () => {
  test.each([
    ['a phone', mobileMoneyPayout, 'UGX', 20_100],
    ['a bank account', bankPayout, 'NGN', 5050],
  ])('to %s takes exactly total_debit from the wallet', async (_to, request, currency, totalDebit) => {
    const before = await balance(currency)
    const sent = request()
    const record = await paid(sent)
    expect(record).toMatchObject({
      transaction_type: 'PAYOUT',
      transaction_status: 'COMPLETED',
      total_debit: totalDebit,
      transaction_account: sent.account_number,
      customer_name: sent.customer_name,
    })
    expect(await balance(currency)).toBe(before - totalDebit)
    expect(await transfersOf(sent.merchant_reference)).toBe(1)
    expect(callbacksOf(sent.merchant_reference).map(({ json }) => json)).toEqual([
      { event: 'transaction.completed', payload: record },
    ])
    await expectBalancedBooks(gateway)
  })
  test('keeps bank and branch code', async () => {
    const request = bankPayout()
    await malipo.payouts.send(request)
    const { rows } = await gateway.pool.query(
      'select bank_code, branch_code from transactions where merchant_reference = $1',
      [request.merchant_reference],
    )
    expect(rows).toEqual([{ bank_code: 'access_bank_ng', branch_code: '044-150149' }])
  })
  test('that fails gives its hold back, and has no charge and no debit', async () => {
    const before = await balance()
    const record = await paid(mobileMoneyPayout('002'))
    expect(record).toMatchObject({
      transaction_status: 'FAILED',
      status_message: "The recipient's account cannot receive the amount",
      transaction_charge: 0,
      total_debit: 0,
    })
    expect(await balance()).toBe(before)
    expect(await heldMinor()).toBe(0n)
    await expectBalancedBooks(gateway)
  })
  test('holds its money while the rail works', async () => {
    const before = await balance()
    const request = mobileMoneyPayout('010')
    expect(await paid(request)).toMatchObject({
      transaction_status: 'PROCESSING',
      status_message: 'Transaction Processing',
    })
    expect(await balance()).toBe(before - 20_100)
    expect(await heldMinor()).toBe(20_100n)
    await after(60_000)
    expect(await balance()).toBe(before - 20_100)
    expect(await heldMinor()).toBe(0n)
  })
  test.each([
    ['006', 'PROCESSING', 0],
    ['008', 'COMPLETED', 1],
    ['009', 'COMPLETED', 1],
    ['003', 'FAILED', 0],
    ['004', 'FAILED', 0],
    ['001', 'COMPLETED', 1],
  ])('to test number %s is %s, with %d transfers of the rail', async (ending, status, transfers) => {
    const request = mobileMoneyPayout(ending)
    await paid(request)
    for (let n = 0; n < 4; n += 1) await after(2000)
    expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({ transaction_status: status })
    expect(await transfersOf(request.merchant_reference)).toBe(transfers)
    await expectBalancedBooks(gateway)
  })
  test.each([
    ['002', "The recipient's account cannot receive the amount"],
    ['456', "The recipient's account cannot receive the amount"],
    ['003', 'The request timed out without a transfer'],
    ['004', 'The recipient declined the request'],
  ])('that fails at test number %s speaks of its recipient: %s', async (ending, message) => {
    expect(await paid(mobileMoneyPayout(ending))).toMatchObject({
      transaction_status: 'FAILED',
      status_message: message,
    })
  })
  test.each([
    ['a phone', () => mobileMoneyPayout('005')],
    ['a bank account', () => bankPayout({ account_number: '0123456005' })],
  ])(
    'to %s that ends in 005 just completes: only customers are asked for a one-time password',
    async (_to, request) => {
      expect(await paid(request())).toMatchObject({ transaction_status: 'COMPLETED' })
    },
  )
  test('that turns out to be paid after it failed is paid from the wallet, once (007)', async () => {
    const before = await balance()
    const request = mobileMoneyPayout('007')
    expect((await paid(request)).transaction_status).toBe('FAILED')
    expect(await balance()).toBe(before)
    await after(2000)
    expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      total_debit: 20_100,
    })
    expect(await balance()).toBe(before - 20_100)
    expect(callbacksOf(request.merchant_reference)).toHaveLength(2)
    await expectBalancedBooks(gateway)
  })
})

describe('the handshake', () => {
  test("asks with the reference, the URL's own query kept, signed over the empty body", async () => {
    const request = mobileMoneyPayout()
    await paid(request)
    expect(verification.asked).toHaveLength(1)
    const { method, url, headers } = verification.asked[0]!
    expect([method, url]).toEqual(['GET', `/verify?shop=7&reference=${request.merchant_reference}`])
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', Buffer.from('c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==', 'base64')).update(signed).digest('base64')}`,
    )
    expect(headers['webhook-id']).toMatch(/^cb_[0-9A-HJKMNP-TV-Z]{26}$/)
  })
  test.each([200, 201, 202, 204, 299])('%d is a yes: the payout goes on at once', async (status) => {
    verification.answer = () => status
    expect(await paid(mobileMoneyPayout())).toMatchObject({ transaction_status: 'COMPLETED' })
    expect(verification.asked).toHaveLength(1)
  })
  test.each([400, 403, 404, 499])('%d rejects the payout: no hold, no transfer', async (status) => {
    verification.answer = () => status
    const request = mobileMoneyPayout()
    expect(await paid(request)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: `Payout rejected by the merchant's verification URL (HTTP ${status})`,
    })
    expect(await transfersOf(request.merchant_reference)).toBe(0)
    expect(verification.asked).toHaveLength(1)
    expect(callbacksOf(request.merchant_reference)).toHaveLength(1)
  })
  const unanswered: readonly (readonly [how: string, answer: Verification['answer'], told: string])[] = [
    ['redirects', () => 302, ' (HTTP 302)'],
    ['fails', () => 503, ' (HTTP 503)'],
    ['has no time', () => 408, ' (HTTP 408)'],
    ['finds it too early', () => 425, ' (HTTP 425)'],
    ['is asked too much', () => 429, ' (HTTP 429)'],
    ['resets', 'reset', ''],
  ]
  test.each(unanswered)(
    'a server that %s is asked again after 5 s, 30 s and 2 min, and then the payout fails and tells the last status',
    async (_how, answer, told) => {
      verification.answer = answer
      const request = mobileMoneyPayout()
      await malipo.payouts.send(request)
      await gateway.runDue()
      for (const [index, seconds] of [5, 30, 120].entries()) {
        expect(verification.asked).toHaveLength(index + 1)
        await after(seconds * 1000 - 1)
        expect(verification.asked).toHaveLength(index + 1)
        await after(1)
      }
      expect(verification.asked).toHaveLength(4)
      expect(new Set(verification.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
        transaction_status: 'FAILED',
        status_message: `The merchant's verification URL did not answer${told}`,
      })
      expect(await transfersOf(request.merchant_reference)).toBe(0)
      const { rows } = await gateway.pool.query(
        'select count(*)::int as n from handshake_attempts a join transactions t on t.id = a.transaction_id where t.merchant_reference = $1',
        [request.merchant_reference],
      )
      expect(rows).toEqual([{ n: 4 }])
    },
  )
  test('one that hangs is given five seconds, and one that recovers lets the payout go on', async () => {
    verification.answer = 'hang'
    const request = mobileMoneyPayout()
    await malipo.payouts.send(request)
    await gateway.runDue()
    verification.answer = () => 200
    await after(5000)
    await after(1000)
    expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
    })
  })
  test('no URL configured: 400 at acceptance', async () => {
    await gateway.pool.query('update merchants set verification_url = null')
    await gateway.refresh()
    const reply = await postJson(gateway.url, '/payout/send-funds', mobileMoneyPayout(), DEMO_KEYS)
    expect(reply.body).toEqual({
      code: 400,
      status: 'error',
      message: 'No verification URL is configured for payouts',
      data: {},
    })
    await gateway.pool.query('update merchants set verification_url = $1', [verification.url])
    await gateway.refresh()
  })
})

describe('refused at acceptance', () => {
  test.each([
    [
      'an unknown bank',
      bankPayout({ extra_params: { bank_code: 'no_such_bank' } }),
      'Invalid bank code (no_such_bank)',
    ],
    ["another provider's bank", bankPayout({ extra_params: { bank_code: 'absa_za' } }), 'Invalid bank code (absa_za)'],
    ['no bank', bankPayout({ extra_params: undefined }), 'extra_params is required'],
    [
      'extra_params for a phone',
      mobileMoneyPayout('123', { extra_params: { bank_code: 'access_bank_ng' } }),
      'extra_params is not allowed',
    ],
    [
      "another operator's phone",
      mobileMoneyPayout('123', { account_number: '256752000123' }),
      '256752000123 is not a valid MTN Uganda (mtn_ug) phone number',
    ],
    [
      'auto as reference',
      mobileMoneyPayout('123', { merchant_reference: 'auto' }),
      'merchant_reference must have 8 to 36 characters',
    ],
    ['too much', mobileMoneyPayout('123', { amount: 3_000_001 }), 'amount must be between 500 and 3000000 UGX'],
    [
      'a provider without banks',
      { ...bankPayout(), provider_code: 'mtn_ug', currency: 'UGX' },
      'Invalid provider code (mtn_ug): does not offer BANK',
    ],
  ])('%s', async (_case, request, message) => {
    const reply = await postJson(gateway.url, '/payout/send-funds', request, DEMO_KEYS)
    expect(reply.body).toEqual({ code: 400, status: 'error', message, data: {} })
  })
  test('no secret key', async () =>
    expect((await postJson(gateway.url, '/payout/send-funds', mobileMoneyPayout())).body.message).toBe(
      'secret-key is required',
    ))
})

describe('one wallet under fire', () => {
  test('200 concurrent payouts of 600 from a wallet with 100 × 603: exactly as many are paid as are covered', async () => {
    // 600 at half a percent costs 603 (ZMW has two decimals). The wallet is emptied down to what covers a hundred of
    // them.
    await gateway.pool.query(
      `update payment_options set max_daily_amount_minor = 1000000000 where provider_code = 'mtn_zm'`,
    )
    await gateway.refresh()
    const fill = await balance('ZMW')
    for (let left = fill - 100 * 603; left > 0;) {
      const amount = Math.min(20_000, Math.floor((left / 1.005) * 100) / 100)
      if (amount < 1) break
      await malipo.payouts.send({
        ...mobileMoneyPayout(),
        provider_code: 'mtn_zm',
        account_number: `26096${String(Math.round(left)).padStart(4, '0').slice(-4)}123`,
        currency: 'ZMW',
        amount,
      })
      await after(1000)
      left = (await balance('ZMW')) - 100 * 603
    }
    const before = await balance('ZMW')
    const covered = Math.floor(before / 603)
    const requests = Array.from({ length: 200 }, (_, n) => ({
      ...mobileMoneyPayout(),
      provider_code: 'mtn_zm',
      account_number: `26097${String(n).padStart(4, '0')}123`,
      currency: 'ZMW',
      amount: 600,
    })).map((request) => ({ ...request, provider_code: 'airtel_zm' }))
    await Promise.all(requests.map((request) => malipo.payouts.send(request)))
    for (let n = 0; n < 5; n += 1) await after(1000)
    const records = await Promise.all(
      requests.map(({ merchant_reference }) => malipo.transactions.verify(merchant_reference)),
    )
    expect(records.filter(({ transaction_status }) => transaction_status === 'COMPLETED')).toHaveLength(covered)
    expect(
      records.filter(({ status_message }) => status_message === 'Insufficient balance for the transaction'),
    ).toHaveLength(200 - covered)
    expect(await balance('ZMW')).toBeCloseTo(before - covered * 603, 2)
    await expectBalancedBooks(gateway)
  })
  test('two gateways holding from one wallet never take more than it has', async () => {
    const other = await startTestGateway({ connection: database.connection, surroundings: { clock } })
    try {
      const before = await balance('GHS')
      const amount = Math.floor(before / 1.005 / 10.5)
      const requests = Array.from({ length: 20 }, (_, n) => ({
        ...mobileMoneyPayout(),
        provider_code: 'mtn_gh',
        account_number: `23324${String(n).padStart(4, '0')}123`,
        currency: 'GHS',
        amount: Math.min(amount, 10_000),
      }))
      await Promise.all(requests.map((request) => malipo.payouts.send(request)))
      for (let n = 0; n < 4; n += 1) {
        await Promise.all([gateway.runDue(), other.runDue()])
        clock.advance(1000)
      }
      await after(1000)
      await after(1000)
      const records = await Promise.all(
        requests.map(({ merchant_reference }) => malipo.transactions.verify(merchant_reference)),
      )
      expect(
        records.every(
          ({ transaction_status }) => transaction_status === 'COMPLETED' || transaction_status === 'FAILED',
        ),
      ).toBe(true)
      expect(await balance('GHS')).toBeGreaterThanOrEqual(0)
      await expectBalancedBooks(gateway)
    } finally {
      await other.stop()
    }
  })
})
