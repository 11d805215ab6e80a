import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock, SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { hashedReference } from '../../rails/daraja/account-reference.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { collect } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// What payers read in M-PESA's prompts, and looking up payments by it.

/** When the rail account first polls the status of a prompt. */
const POLL_AFTER_MS = 20_000
/** Longer than one download of the pulled transactions is cached. */
const READING_MS = 301_000

const clock = createClock({ frozen: true, realNow: () => Date.parse('2026-03-02T07:30:00Z') })
const { gateway, after } = await gatewayTest({ clock, env: OWN_RAILS })
const operator = present(SIMULATORS['daraja'], 'the simulator of Daraja')({})
const daraja = await forFile(startSimulator(operator, { clock, seed: 7 }))
await installRail(gateway, daraja, { name: 'kenya', providers: ['mpesa_ke'] })
const { publicKey } = await addMerchant(gateway, { name: 'Duka', payoutBalances: {}, disabled: [] }, clock.now())

beforeEach(() => clock.advance(READING_MS))
afterEach(async () => {
  daraja.scenarios.clear()
  await expectBalancedBooks(gateway)
})

let customers = 0
const orderOf = (msisdn: string) => present(daraja.world.orders.of(msisdn)[0], 'the order at M-PESA')
/** The text that the payer reads, as M-PESA received it. */
const shownTo = (msisdn: string): string => orderOf(msisdn).externalId
const approve = (msisdn: string) => daraja.lifecycle.decide(orderOf(msisdn), 'approved')

/** @returns the customer's number, which no other test uses */
async function collected(merchant_reference: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const msisdn = `25471${String(++customers).padStart(4, '0')}123`
  const request = { provider_code: 'mpesa_ke', currency: 'KES', amount: 500, msisdn, merchant_reference }
  expect(await collect(gateway.url, request, headers)).toMatchObject({ status: 202 })
  await gateway.runDue()
  return msisdn
}
/** A prompt that is on the phone although its reply was lost, and about which M-PESA sends no message. */
async function lost(merchantReference: string, headers?: Readonly<Record<string, string>>): Promise<string> {
  daraja.scenarios.add([
    { on: { operation: 'stkPush' }, effect: { do: 'close', when: 'after' } },
    { on: { operation: 'stkPush' }, effect: { do: 'callback', times: 0 } },
  ])
  return collected(merchantReference, headers)
}
async function statusOf(msisdn: string): Promise<string | undefined> {
  const { rows } = await gateway.pool.query<{ status: string }>('select status from transactions where account = $1', [
    msisdn,
  ])
  return rows[0]?.status
}

test("the payer reads the merchant's reference, as far as M-PESA accepts it", async () => {
  expect(shownTo(await collected('INV_1001.a'))).toBe('INV-1001-a')
  expect(shownTo(await collected('ORDER-2026-0001'))).toBe('ORDER-2026-0')
  expect(shownTo(await collected('ORDER-2026-0002'))).toBe('ORDER-2-0002')
})

test('two merchants with the same reference are both paid, each by its own payer', async () => {
  const own = await lost('SAME-0001')
  const others = await lost('same-0001', { 'public-key': publicKey })
  expect(shownTo(own)).toBe('SAME-0001')
  expect(shownTo(others)).toMatch(/^same-0001-[0-9A-Z]{2}$/)

  approve(others)
  await after(POLL_AFTER_MS)
  expect([await statusOf(own), await statusOf(others)]).toEqual(['PROCESSING', 'COMPLETED'])
  approve(own)
  await after(READING_MS)
  expect([await statusOf(own), await statusOf(others)]).toEqual(['COMPLETED', 'COMPLETED'])
  expect([orderOf(own).moved, orderOf(others).moved]).toEqual([1, 1])
})

test('finds an order that went out under its hash after the upgrade', async () => {
  const msisdn = await lost('BEFORE-0001')
  const { rows } = await gateway.pool.query<{ order_id: string }>(
    `with sent as (select id, rail_order_id from transactions where account = $1), removed as (
       delete from rail_references r using sent where r.transaction_id = sent.id and r.name = 'AccountReference')
     select rail_order_id as order_id from sent`,
    [msisdn],
  )
  Object.assign(orderOf(msisdn), { externalId: hashedReference(present(rows[0], 'the order').order_id) })
  approve(msisdn)
  await after(READING_MS)
  expect(await statusOf(msisdn)).toBe('COMPLETED')
})
