import { describe, expect, test } from 'vitest'
import { asOwner } from '../testing/database.ts'
import { DEMO_KEYS, seededRandom, startTestGateway } from '../testing/gateway.ts'
import {
  collect,
  mobileMoneyCollection,
  postJson,
  send,
  uniqueMsisdn,
  uniqueReference,
  verify,
} from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectError } from '../testing/expect-error.ts'

// Amounts to the last digit, and daily limits.

const { database, gateway, clock } = await gatewayTest({
  surroundings: { random: seededRandom('requests') },
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const { url } = gateway

async function withChange(sql: string): Promise<void> {
  await gateway.pool.query(sql)
  await gateway.refresh()
}

describe('amount', () => {
  test.each([
    [5000.5, 'UGX', 'mtn_ug', 'amount must have at most 0 decimals for UGX'],
    [10.005, 'KES', 'mpesa_ke', 'amount must have at most 2 decimals for KES'],
    [0.1 + 0.2, 'KES', 'mpesa_ke', 'amount must have at most 2 decimals for KES'],
  ])('more decimals than the currency has: %d %s', async (amount, currency, provider_code, message) => {
    expectError(
      await collect(url, {
        amount,
        currency,
        provider_code,
        msisdn: provider_code === 'mpesa_ke' ? '254712000123' : '256772000123',
      }),
      400,
      message,
    )
  })
  test.each([499, 3_000_001, 0, -1, -5000, -0.5, 1e15, 1e300])(
    'outside the limits of the provider: %d',
    async (amount) => {
      expectError(await collect(url, { amount }), 400, 'amount must be between 500 and 3000000 UGX')
    },
  )
  test.each(['-0', '0.0', '0e999999999', '-0.0000001', '1e308'])(
    'outside the limits, however it is written: %s',
    async (amount) => {
      expectError(await collectWritten(amount), 400, 'amount must be between 500 and 3000000 UGX')
    },
  )
  test('outside the limits for a payout too, and in another currency', async () => {
    await withChange(`insert into exchange_rates values ('USD', 'UGX', 3800, now()) on conflict do nothing`)
    for (const currency of ['UGX', 'USD'])
      for (const amount of [0, -1]) {
        const payout = {
          transaction_method: 'MOBILE_MONEY',
          merchant_reference: uniqueReference(),
          currency,
          amount,
          provider_code: 'mtn_ug',
          account_number: '256772000123',
          customer_name: 'Ada Obi',
          description: 'Salary of March',
        }
        expectError(
          await postJson(url, '/payout/send-funds', payout, DEMO_KEYS),
          400,
          'amount must be between 500 and 3000000 UGX',
        )
      }
    await withChange(`delete from exchange_rates`)
  })
  test.each([
    ['3000000.0000000001', 'UGX', 'amount must have at most 0 decimals for UGX'],
    ['5000.00000000000000000001', 'UGX', 'amount must have at most 0 decimals for UGX'],
    ['50000001e-4', 'UGX', 'amount must have at most 0 decimals for UGX'],
    [`5000.${'0'.repeat(10_000)}1`, 'UGX', 'amount must have at most 0 decimals for UGX'],
    ['100.0000000000000000001', 'KES', 'amount must have at most 2 decimals for KES'],
  ])('more decimals than the currency has, digit for digit: %s %s', async (amount, currency, message) =>
    expectError(await collectWritten(amount, currency), 400, message),
  )
  test.each(['5000', '5000.0', '5000.00', '5e3', '50.00E+2', '500000e-2', `0.${'0'.repeat(10_000)}5e10004`])(
    'zeros at the end are no decimals: %s',
    async (amount) => {
      const reference = uniqueReference()
      expect((await collectWritten(amount, 'UGX', reference)).status).toBe(202)
      expect((await verify(url, reference)).body.data.request_amount).toBe(5000)
    },
  )
  test('a changed last digit makes another request under an Idempotency-Key', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const reference = uniqueReference()
    const msisdn = uniqueMsisdn()
    expect((await collectWritten('5000', 'UGX', reference, key, msisdn)).status).toBe(202)
    expect((await collectWritten('5e3', 'UGX', reference, key, msisdn)).headers.get('idempotency-replayed')).toBe(
      'true',
    )
    expectError(
      await collectWritten('5000.0000000000001', 'UGX', reference, key, msisdn),
      409,
      'Idempotency-Key has already been used with a different request',
    )
  })
  const collectWritten = (
    amount: string,
    currency = 'UGX',
    merchant_reference = uniqueReference(),
    headers = {},
    msisdn = uniqueMsisdn(),
  ) => {
    const account = currency === 'KES' ? { provider_code: 'mpesa_ke', msisdn: '254712000123' } : { msisdn }
    const body = JSON.stringify(mobileMoneyCollection({ amount: 0, currency, merchant_reference, ...account })).replace(
      '"amount":0',
      `"amount":${amount}`,
    )
    return send(url, 'POST', '/collections/initialize', {
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  }
  test.each([500, 3_000_000])('the limits themselves are inside: %d', async (amount) => {
    expect((await collect(url, { amount })).status).toBe(202)
  })
  test('another currency without a rate', async () => {
    expectError(
      await collect(url, { currency: 'USD', amount: 100 }),
      400,
      'No exchange rate from USD to UGX is configured',
    )
  })
  test('another currency with a rate: USD 100 at 3,800 with 1 % charge', async () => {
    await withChange(`insert into exchange_rates values ('USD', 'UGX', 3800, now())`)
    const reference = uniqueReference()
    expect((await collect(url, { currency: 'USD', amount: 100, merchant_reference: reference })).status).toBe(202)
    expect((await verify(url, reference)).body.data).toMatchObject({
      request_currency: 'USD',
      request_amount: 100,
      transaction_currency: 'UGX',
      transaction_amount: 380_000,
      transaction_charge: 3_800,
      total_credit: 376_200,
    })
  })
})

describe('amounts on the wire', () => {
  test('are JSON numbers with the decimals of the currency, exactly', async () => {
    const merchant_reference = uniqueReference()
    await collect(url, {
      merchant_reference,
      provider_code: 'mpesa_ke',
      msisdn: '254712000123',
      currency: 'KES',
      amount: 1234.56,
    })
    // 1 % of 1,234.56 is 12.3456: 12.35 when rounded half up to the minor unit.
    expect((await verify(url, merchant_reference)).body.data).toMatchObject({
      request_amount: 1234.56,
      transaction_amount: 1234.56,
      transaction_charge: 12.35,
      total_credit: 1222.21,
    })
  })
  test('charge_customer: the customer pays the charge on top', async () => {
    const merchant_reference = uniqueReference()
    await collect(url, { merchant_reference, charge_customer: true })
    expect((await verify(url, merchant_reference)).body.data).toMatchObject({
      transaction_amount: 5000,
      transaction_charge: 50,
      total_credit: 5000,
      charge_customer: true,
    })
  })
})

describe('daily limit', () => {
  const over = 'amount exceeds the daily limit of 7000000 UGX for this account number'
  test('names the limit when it is exceeded, exactly', async () => {
    const msisdn = uniqueMsisdn()
    expect((await collect(url, { msisdn, amount: 3_000_000 })).status).toBe(202)
    expect((await collect(url, { msisdn, amount: 3_000_000 })).status).toBe(202)
    expectError(await collect(url, { msisdn, amount: 1_000_001 }), 400, over)
    expect((await collect(url, { msisdn, amount: 1_000_000 })).status).toBe(202)
    expectError(await collect(url, { msisdn, amount: 500 }), 400, over)
  })
  // None of them has used the reference.
  test.each([4, 50])(
    '%i at once with one new reference at a used-up limit: each gets the limit error',
    async (count) => {
      const other = await startTestGateway({ connection: database.connection, surroundings: { clock } })
      try {
        const msisdn = uniqueMsisdn()
        for (const amount of [3_000_000, 3_000_000, 1_000_000])
          expect((await collect(url, { msisdn, amount })).status).toBe(202)
        for (const gateways of [[url], [url, other.url], [other.url]]) {
          const reference = uniqueReference()
          const replies = await Promise.all(
            Array.from({ length: count }, (_, n) =>
              collect(gateways[n % gateways.length]!, { msisdn, merchant_reference: reference }),
            ),
          )
          expect(new Set(replies.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
            new Set([`400 ${over}`]),
          )
          expect((await verify(url, reference)).status).toBe(404)
          expect((await collect(url, { merchant_reference: reference })).status).toBe(202)
        }
      } finally {
        await other.stop()
      }
    },
  )
  test('of many with one new reference the first that fits wins; later ones are too late', async () => {
    const msisdn = uniqueMsisdn()
    for (const amount of [3_000_000, 3_000_000, 900_000])
      expect((await collect(url, { msisdn, amount })).status).toBe(202)
    for (let round = 0; round < 10; round += 1) {
      const reference = uniqueReference()
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          collect(url, { msisdn, merchant_reference: reference, amount: n % 2 ? 500 : 2_000_000 }),
        ),
      )
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
      expect(replies.filter(({ status, body }) => status === 409 || body.message === over)).toHaveLength(7)
      expect(replies.filter(({ status }) => status === 409).length).toBeGreaterThanOrEqual(3)
      expect((await verify(url, reference)).body.data.transaction_amount).toBe(500)
    }
  })
  test('64 clients against one daily limit: not one shilling over', async () => {
    const msisdn = uniqueMsisdn('001')
    const replies = await Promise.all(Array.from({ length: 64 }, () => collect(url, { msisdn, amount: 300_001 })))
    // 23 × 300,001 = 6,900,023; one more would be 7,200,024
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(23)
    expect(replies.filter(({ body }) => body.message === over)).toHaveLength(41)
  })
  test('64 clients of two gateways on one database: not one shilling over either', async () => {
    const other = await startTestGateway({ connection: database.connection, surroundings: { clock } })
    try {
      for (let round = 0; round < 10; round += 1) {
        const msisdn = uniqueMsisdn('001')
        const replies = await Promise.all(
          Array.from({ length: 64 }, (_, n) => collect(n % 2 ? url : other.url, { msisdn, amount: 300_001 })),
        )
        expect(replies.filter(({ status }) => status === 202)).toHaveLength(23)
      }
    } finally {
      await other.stop()
    }
  })
  test('also where the database has another default isolation level', async () => {
    await asOwner(
      database.connection,
      `alter database ${database.connection.database} set default_transaction_isolation = 'repeatable read'`,
    )
    const others = await Promise.all(
      [1, 2].map(() => startTestGateway({ connection: database.connection, surroundings: { clock } })),
    )
    try {
      const msisdn = uniqueMsisdn('001')
      const replies = await Promise.all(
        Array.from({ length: 64 }, (_, n) => collect(others[n % 2]!.url, { msisdn, amount: 300_001 })),
      )
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(23)
    } finally {
      await asOwner(
        database.connection,
        `alter database ${database.connection.database} reset default_transaction_isolation`,
      )
      await Promise.all(others.map((other) => other.stop()))
    }
  })
  test('rolling: what began 24 hours ago no longer counts', async () => {
    const msisdn = uniqueMsisdn()
    for (const amount of [3_000_000, 3_000_000, 1_000_000])
      expect((await collect(url, { msisdn, amount })).status).toBe(202)
    clock.advance(24 * 3_600_000 - 1)
    expectError(await collect(url, { msisdn, amount: 500 }), 400, over)
    clock.advance(1)
    expect((await collect(url, { msisdn, amount: 500 })).status).toBe(202)
  })
  test('what failed does not count', async () => {
    const msisdn = uniqueMsisdn('002')
    for (const amount of [3_000_000, 3_000_000, 1_000_000])
      expect((await collect(url, { msisdn, amount })).status).toBe(202)
    expectError(await collect(url, { msisdn, amount: 500 }), 400, over)
    await gateway.runDue()
    clock.advance(1_000)
    await gateway.runDue()
    expect((await collect(url, { msisdn, amount: 500 })).status).toBe(202)
  })
  test('a refused request leaves its reference free', async () => {
    const msisdn = uniqueMsisdn()
    for (const amount of [3_000_000, 3_000_000, 1_000_000]) await collect(url, { msisdn, amount })
    const merchant_reference = uniqueReference()
    expectError(await collect(url, { msisdn, merchant_reference, amount: 500 }), 400, over)
    expect((await collect(url, { merchant_reference })).status).toBe(202)
  })
})
