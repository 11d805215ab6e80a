import { describe, expect, test } from 'vitest'
import { asOwner } from '../testing/database.ts'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { startTestGateway } from '../testing/gateway.ts'
import {
  collect,
  mobileMoneyCollection,
  payOut,
  send,
  uniqueMsisdn,
  uniqueReference,
  verify,
} from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// Amounts to the last digit, and daily limits. How amounts are read is tested in money.test.ts, how a limit is shared
// out in the port tests of acceptance.

const { database, gateway, clock } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const RANGE = refusal('amount_range')
const OVER = refusal('amount_daily')
const decimals = (count: number, currency: string) => `amount must have at most ${count} decimals for ${currency}`

/** A collection whose amount has these characters in the body. */
function collectWritten(amount: string, changes: Readonly<Record<string, unknown>> = {}, headers = {}) {
  const body = JSON.stringify(mobileMoneyCollection({ ...changes, amount: 0 }))
  return send(url, 'POST', '/collections/initialize', {
    headers: { 'content-type': 'application/json', ...headers },
    body: body.replace('"amount":0', `"amount":${amount}`),
  })
}
const KENYA = { provider_code: 'mpesa_ke', msisdn: '254712000123', currency: 'KES' }

describe('amount', () => {
  test.each([
    ['3000001', {}, RANGE],
    ['3000000.0000000001', {}, decimals(0, 'UGX')],
    ['100.0000000000000000001', KENYA, decimals(2, 'KES')],
    ['100', { currency: 'USD' }, refusal('rate_missing')],
  ])('%s is refused: %j', async (amount, changes, message) => {
    expectError(await collectWritten(amount, changes), 400, message)
  })
  test('a changed last digit makes another request under an Idempotency-Key', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    const same = { merchant_reference: uniqueReference(), msisdn: uniqueMsisdn() }
    expect((await collectWritten('5000', same, key)).status).toBe(202)
    expect((await collectWritten('5e3', same, key)).headers.get('idempotency-replayed')).toBe('true')
    expectError(await collectWritten('5000.0000000000001', same, key), 409, refusal('idempotency_key_used'))
  })
  test('is a JSON number with the decimals of the currency, exactly', async () => {
    const merchant_reference = uniqueReference()
    await collect(url, { ...KENYA, merchant_reference, amount: 1234.56 })
    // 1 % of 1,234.56 is 12.3456: 12.35 when rounded half up to the minor unit.
    expect((await verify(url, merchant_reference)).body.data).toMatchObject({
      request_amount: 1234.56,
      transaction_amount: 1234.56,
      transaction_charge: 12.35,
      total_credit: 1222.21,
    })
  })
  test('another currency with a rate: USD 100 at 3,800 with 1 % charge', async () => {
    await gateway.pool.query(`insert into exchange_rates values ('USD', 'UGX', 3800, now())`)
    await gateway.refresh()
    const merchant_reference = uniqueReference()
    expect((await collect(url, { currency: 'USD', amount: 100, merchant_reference })).status).toBe(202)
    expect((await verify(url, merchant_reference)).body.data).toMatchObject({
      request_currency: 'USD',
      request_amount: 100,
      transaction_currency: 'UGX',
      transaction_amount: 380_000,
      transaction_charge: 3_800,
      total_credit: 376_200,
    })
    for (const amount of [0, -1]) expectError(await payOut(url, { currency: 'USD', amount }), 400, RANGE)
  })
})

describe('daily limit', () => {
  const accepted = (replies: readonly { readonly status: number }[]) =>
    replies.filter(({ status }) => status === 202).length
  const many = (count: number, urls: readonly string[], changes: Readonly<Record<string, unknown>>) =>
    Promise.all(Array.from({ length: count }, (_, n) => collect(urls[n % urls.length]!, changes)))

  // 23 × 300,001 = 6,900,023; one more would be 7,200,024.
  test('64 clients against one daily limit: not one shilling over', async () => {
    const replies = await many(64, [url], { msisdn: uniqueMsisdn('001'), amount: 300_001 })
    expect(accepted(replies)).toBe(23)
    expect(replies.filter(({ body }) => body.message === OVER)).toHaveLength(41)
  })
  test('two gateways share it, whatever isolation level the database has by default', async () => {
    const { connection } = database
    await asOwner(
      connection,
      `alter database ${connection.database} set default_transaction_isolation = 'repeatable read'`,
    )
    const others = await Promise.all([1, 2].map(() => startTestGateway({ connection, surroundings: { clock } })))
    try {
      const urls = others.map((other) => other.url)
      const msisdn = uniqueMsisdn('001')
      expect(accepted(await many(64, urls, { msisdn, amount: 300_001 }))).toBe(23)
      expect(accepted(await many(8, [url, ...urls], { msisdn: uniqueMsisdn('001'), amount: 3_000_000 }))).toBe(2)
      // None of these uses its reference: each is refused for the limit, and the reference stays free.
      const merchant_reference = uniqueReference()
      const refused = await many(20, [url, ...urls], { msisdn, merchant_reference, amount: 300_001 })
      expect(new Set(refused.map(({ status, body }) => `${status} ${body.message}`))).toEqual(new Set([`400 ${OVER}`]))
      expect((await verify(url, merchant_reference)).status).toBe(404)
      expect((await collect(url, { merchant_reference })).status).toBe(202)
    } finally {
      await asOwner(connection, `alter database ${connection.database} reset default_transaction_isolation`)
      await Promise.all(others.map((other) => other.stop()))
    }
  })
})
