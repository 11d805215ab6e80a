import { afterAll, expect, test } from 'vitest'
import type { Gateway } from '../../main.ts'
import { listRailAccounts } from '../../admin/queries/rail-accounts.ts'
import { createTestDatabase } from '../testing/database.ts'
import { forFile } from '../testing/for-file.ts'
import { DEMO_KEYS, fixedClock, startTestGateway } from '../testing/gateway.ts'
import { collect, payOut, send, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'

// The sandbox in its other form: providers of MTN, M-PESA and Airtel on the real rails, over HTTP, to operators that the
// gateway runs itself. The nightly run has the whole suite in this form; this test shows that it works.

const DELAY_MS = 1_000
const clock = fixedClock()
const { connection } = await forFile(createTestDatabase())
const started = (form: 'wire' | 'simulated'): Promise<Gateway> =>
  startTestGateway({ connection, surroundings: { clock }, env: { MALIPO_SANDBOX_RAILS: form } })
let gateway = await started('wire')
afterAll(() => gateway.stop())

async function after(ms: number): Promise<void> {
  await gateway.runDue()
  clock.advance(ms)
  await gateway.runDue()
}

const numberAt =
  (prefix: string) =>
  (ending = '123') =>
    `${prefix}${String(Math.trunc(Math.random() * 9_000) + 1_000)}${ending}`
const byProvider = {
  mtn_ug: { provider_code: 'mtn_ug', currency: 'UGX', amount: 5_000, number: uniqueMsisdn },
  mtn_rw: { provider_code: 'mtn_rw', currency: 'RWF', amount: 5_000, number: () => '250781111123' },
  mpesa_ke: { provider_code: 'mpesa_ke', currency: 'KES', amount: 500, number: numberAt('25471') },
  airtel_ug: { provider_code: 'airtel_ug', currency: 'UGX', amount: 5_000, number: numberAt('25675') },
  airtel_zm: { provider_code: 'airtel_zm', currency: 'ZMW', amount: 12.5, number: numberAt('26097') },
} as const

async function collected(provider: keyof typeof byProvider, ending?: string): Promise<string> {
  const { number, ...requested } = byProvider[provider]
  const merchant_reference = uniqueReference()
  expect(await collect(gateway.url, { ...requested, merchant_reference, msisdn: number(ending) })).toMatchObject({
    status: 202,
  })
  return merchant_reference
}
async function paidOut(provider: keyof typeof byProvider): Promise<string> {
  const { number, ...request } = byProvider[provider]
  const merchant_reference = uniqueReference()
  const reply = await payOut(gateway.url, { ...request, merchant_reference, account_number: number() })
  expect(reply).toMatchObject({ status: 202 })
  return merchant_reference
}
const recordOf = async (reference: string) => (await verify(gateway.url, reference)).body.data
/** Of payments; a start also registers where M-PESA asks. */
const callsOf = async (railAccount: string): Promise<readonly string[]> => {
  const { rows } = await gateway.pool.query<{ purpose: string }>(
    'select distinct purpose from operator_exchanges where rail_account = $1 and purpose <> $2 order by purpose',
    [railAccount, 'check'],
  )
  return rows.map(({ purpose }) => purpose)
}

test.each([
  ['mtn_ug', 'sandbox-uganda'],
  ['mtn_rw', 'sandbox-rwanda'],
  ['mpesa_ke', 'sandbox-kenya'],
  ['airtel_ug', 'sandbox-airtel-uganda'],
  ['airtel_zm', 'sandbox-airtel-zambia'],
] as const)('%s collects and pays out by the real rail and polls the operator', async (provider, railAccount) => {
  const references = [await collected(provider), await paidOut(provider)]
  await after(DELAY_MS)
  for (const reference of references)
    expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  await expect.poll(() => callsOf(railAccount)).toEqual(['ask', 'callback', 'submit', 'token'])
})

test('asks MTN and Airtel who has an account, and records no name of their replies', async () => {
  const ask = async (provider: keyof typeof byProvider, ending: string) => {
    const path = `/data/account-holder?provider_code=${provider}&msisdn=${byProvider[provider].number(ending)}`
    return (await send(gateway.url, 'GET', path, { headers: { 'secret-key': DEMO_KEYS['secret-key'] } })).body
  }
  for (const provider of ['mtn_ug', 'airtel_ug'] as const) {
    const { data } = await ask(provider, '123')
    expect(data).toMatchObject({
      account_status: 'ACTIVE',
      masked_name: expect.stringMatching(/^\w\*+ \w\*+$/) as string,
    })
    expect((await ask(provider, '011')).data).toMatchObject({ account_status: 'NOT_FOUND' })
    expect((await ask(provider, '013')).code).toBe(503)
  }
  expect((await ask('mpesa_ke', '123')).data).toMatchObject({ account_status: 'NOT_SUPPORTED' })
  const recorded = async () =>
    (await gateway.pool.query<{ reply: string }>(`select e::text as reply from operator_exchanges e`)).rows
      .map(({ reply }) => reply)
      .filter((reply) => /given_name|first_name/.test(reply))
  await expect.poll(recorded).toHaveLength(2)
  for (const reply of await recorded()) expect(reply).not.toMatch(/Grace|Peter|Amina|Kofi|Nandi|Jean|Fatou|Samuel/)
})

test('a restarted gateway finds its operators as they were, even if it simulates now', async () => {
  const open = [await collected('mtn_ug', '010'), await collected('mpesa_ke'), await collected('airtel_ug', '010')]
  await gateway.runDue()
  await gateway.stop()
  clock.advance(60_000)
  gateway = await started('simulated')
  expect(await listRailAccounts(gateway.pool, 'sandbox-kenya')).toMatchObject([{ providers: [], open_orders: 1n }])
  await gateway.runDue()
  for (const reference of open) expect(await recordOf(reference)).toMatchObject({ transaction_status: 'COMPLETED' })

  const simulated = await collected('mtn_ug')
  await after(DELAY_MS)
  expect(await recordOf(simulated)).toMatchObject({ transaction_status: 'COMPLETED' })
  const { rows } = await gateway.pool.query('select rail_account from transactions where merchant_reference = $1', [
    simulated,
  ])
  expect(rows).toEqual([{ rail_account: null }])
})
