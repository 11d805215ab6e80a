import { expect, test } from 'vitest'
import { operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { api, become, collect, json, malipo, newMerchant } = gateway

interface DoctorOutput {
  readonly clean: boolean
  readonly checks: {
    readonly name: string
    readonly ok: boolean
    readonly found: number
    readonly examples: string[]
  }[]
}

test('the doctor finds a busy gateway clean', async () => {
  const merchant = await newMerchant('--collection-callback-url', gateway.receiver.url)
  for (const n of [1, 2, 3, 4]) await collect(merchant, `CLEAN-000${n}`, n === 4 ? '256772000002' : '256772000123')
  const during = await json<DoctorOutput>(['doctor'])
  expect(during.checks.filter(({ ok }) => !ok)).toEqual([])
  await become('CLEAN-0001', 'COMPLETED')

  // Paid, refused by the operator, and in flight. The demo merchant's verification URL is the inbox.
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
  const { wallets } = await json<{ wallets: object[] }>(['wallet', 'show', 'pub_sandbox_demo', '--currency', 'UGX'])
  expect(wallets).toContainEqual(expect.objectContaining({ wallet_type: 'MERCHANT_PAYOUT', held_balance: 20_100 }))

  const { code, out } = await malipo(['doctor', '--full'])
  expect(code, out).toBe(0)
  expect(out).toMatch(/^(ok {5}.*\n){21,}\nClean: \d+ checks in \d+ ms\.\n$/)

  const { changed_since: since } = await json<{ changed_since: string }>(['doctor'])
  expect(new Date(since).getTime()).toBeLessThan(Date.now())
  const changed = await malipo(['doctor'])
  expect(changed.code, changed.out).toBe(0)
  expect(changed.out).toMatch(
    /\nClean: .*\nOnly payments that have changed since the clean run of 20\S+Z were checked; --full checks all\.\n$/,
  )
})

test('names a broken rule with its first five examples', async () => {
  const { client } = gateway
  await client.query(
    `insert into transaction_references (merchant_id, merchant_reference, transaction_id)
     select 1, 'GHOST-' || n, 999999000 + n from generate_series(1, 7) n`,
  )
  const { code, out } = await malipo(['doctor', '--full'])
  expect(code).toBe(1)
  expect(out).toMatch(
    /\nWRONG {2}every transaction holds its merchant reference, every reference its transaction: 7 do not\n( {9}reference GHOST.*\n){5} {9}and 2 more\n(ok {5}.*\n)*\nNot clean: 1 of \d+ rules are broken\.\n$/,
  )
  const { code: sameCode, out: printed } = await malipo(['doctor', '--full', '--json'])
  expect(sameCode).toBe(1)
  const { clean, checks } = JSON.parse(printed) as DoctorOutput
  expect([clean, checks.filter(({ ok }) => !ok)]).toMatchObject([false, [{ name: 'references_match', found: 7 }]])
})
