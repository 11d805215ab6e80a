import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { CUSTOMER, darajaCaller, simulatedDaraja } from './testing/daraja-caller.ts'
import { advance, reportedBy } from '../testing/simulated.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

test('serves the certificate for the initiator’s password, and no key', async () => {
  const { url } = await simulatedDaraja()
  const response = await fetch(`${url}/simulator/files/certificate.pem`)
  expect(await response.text()).toBe(SIMULATED_MERCHANT.certificate)
  expect(new X509Certificate(SIMULATED_MERCHANT.certificate).subject).toContain('Not Safaricom')
  expect((await fetch(`${url}/simulator/files/key.pem`)).status).toBe(404)
})

test('a scenario about a number also matches queries about its orders', async () => {
  const simulator = await simulatedDaraja()
  const caller = darajaCaller(simulator)
  const { body } = await caller.push({ PhoneNumber: '254700000000' })
  const payout = await caller.payOut()
  await advance(simulator, 10_000)
  const receipts = simulator.world.orders.all().map(({ receipts: [receipt] }) => receipt)
  const refusedFor = async (msisdn: string, request: () => Promise<{ status: number; body: object }>) => {
    simulator.scenarios.add([{ on: { msisdn }, effect: { do: 'refuse', code: '500.003.02' } }])
    expect(await request()).toMatchObject({ status: 500, body: { errorCode: '500.003.02' } })
  }
  await refusedFor('254700000000', () => caller.query(body.CheckoutRequestID))
  await refusedFor('254700000000', () => caller.askStatus({ TransactionID: receipts[0] }))
  await refusedFor(CUSTOMER, () => caller.payOut({ OriginatorConversationID: 'another' }))
  await refusedFor(CUSTOMER, () => caller.askStatus({ OriginalConversationID: payout.body.ConversationID }))
})

test('the log has no password, passkey or token', async () => {
  const simulator = await simulatedDaraja()
  const caller = darajaCaller(simulator)
  const token = await caller.token()
  await caller.push()
  await caller.payOut()
  const { exchanges } = await reportedBy<{ exchanges: readonly object[] }>(simulator, '/simulator/exchanges')
  const log = JSON.stringify(exchanges)
  const password = Buffer.from(`${SIMULATED_MERCHANT.payBill}${SIMULATED_MERCHANT.passkey}`).toString('base64')
  expect(exchanges.length).toBeGreaterThan(3)
  for (const secret of [token, password.slice(0, 20), SIMULATED_MERCHANT.initiatorPassword, '"SecurityCredential":"'])
    expect(log.replaceAll(/"SecurityCredential":"[^"]{1,5}"/g, '')).not.toContain(secret)
})

test.each<['payOut' | 'askStatus' | 'pull', string, Readonly<Record<string, unknown>>]>([
  ['payOut', 'half a shilling', { Amount: 10.5 }],
  ['payOut', 'another command', { CommandID: 'SalaryPayment' }],
  ['payOut', 'a till that pays', { PartyA: SIMULATED_MERCHANT.till }],
  ['payOut', 'a short code of somebody else', { PartyA: '888888' }],
  ['payOut', 'a ResultURL with a forbidden word', { ResultURL: 'http://a.example/mpesa' }],
  ['payOut', 'no OriginatorConversationID', { OriginatorConversationID: undefined }],
  ['askStatus', 'neither receipt nor conversation', {}],
  ['askStatus', 'a short code of somebody else', { OriginalConversationID: 'an id', PartyA: '888888' }],
  [
    'askStatus',
    'a ResultURL with a forbidden word',
    { OriginalConversationID: 'an id', ResultURL: 'http://a.example/query' },
  ],
  ['pull', 'an invalid time', { StartDate: '2026-02-31 00:00:00' }],
  ['pull', 'a time in another form', { EndDate: '2026-02-28' }],
  ['pull', 'a short code of somebody else', { ShortCode: '888888' }],
  ['pull', 'an offset that is a number', { OffSetValue: 0 }],
])('%s refuses %s', async (call, _what, fields) => {
  const simulator = await simulatedDaraja()
  expect(await darajaCaller(simulator)[call](fields)).toMatchObject({ status: 400, body: { errorCode: '400.002.02' } })
  expect(simulator.world.orders.all()).toEqual([])
})
