import { expect, test } from 'vitest'
import { asOwner } from '../testing/database.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { collect, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// A daily limit under many requests at once. How it is shared out, also under concurrency, is tested in the port tests of
// acceptance, amounts to the last digit by the parts `inputs` and `options` of the contract suite.

const { database, gateway, beside } = await gatewayTest({ env: { MALIPO_RATE_LIMIT: '100000' } })
const { url } = gateway

const OVER = refusal('amount_daily')

const accepted = (replies: readonly { readonly status: number }[]) =>
  replies.filter(({ status }) => status === 202).length
const many = (count: number, urls: readonly string[], changes: Readonly<Record<string, unknown>>) =>
  Promise.all(Array.from({ length: count }, (_, n) => collect(urls[n % urls.length]!, changes)))

test('two gateways share a daily limit, whatever isolation level the database has', async () => {
  const { connection } = database
  await asOwner(
    connection,
    `alter database ${connection.database} set default_transaction_isolation = 'repeatable read'`,
  )
  const others = [await beside(), await beside()]
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
  }
})
