import { expect, test } from 'vitest'
import type { Simulator } from '../simulator.ts'
import { darajaCaller, simulatedDaraja, type CallerReply } from './testing/daraja-caller.ts'
import { advance, receiver } from '../testing/simulated.ts'
import { spacedTime } from './nairobi-time.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const PAYS = '254700000000'
const HOUR_MS = 3_600_000

const rowsOf = ({ body }: CallerReply): readonly Readonly<Record<string, unknown>>[] =>
  (body.Response as Readonly<Record<string, unknown>>[][]).flat()
const referencesOf = (answer: CallerReply) => rowsOf(answer).map(({ billreference }) => billreference)
const hoursAgo = ({ world }: Simulator, hours: number): string =>
  spacedTime(new Date(world.clock.now().getTime() - hours * HOUR_MS))

test('lists only paid orders with our AccountReference; without any it is 1001', async () => {
  const simulator = await simulatedDaraja()
  const caller = darajaCaller(simulator)
  expect(await caller.pull()).toMatchObject({ status: 200, body: { ResponseCode: '1001', Response: [[]] } })
  await caller.push({ PhoneNumber: PAYS, AccountReference: 'paid' })
  await caller.push({ PhoneNumber: '254700001032', AccountReference: 'cancelled' })
  await caller.payOut()
  await advance(simulator, 10_000)

  const pulled = await caller.pull()
  expect(pulled.body.ResponseCode).toBe('1000')
  const [order] = simulator.world.orders.all()
  expect(rowsOf(pulled)).toEqual([
    {
      transactionId: order?.receipts[0],
      trxDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/),
      msisdn: 254700000000,
      sender: 'MPESA',
      transactiontype: 'c2b-pay-bill-debit',
      billreference: 'paid',
      amount: '500.00',
      organizationname: SIMULATED_MERCHANT.name,
    },
  ])
})

test('finds a push without a reply here, by the AccountReference of its callback', async () => {
  const simulator = await simulatedDaraja({
    scenarios: [{ on: { operation: 'stkPush' }, effect: { do: 'close', when: 'after' } }],
  })
  const merchant = await receiver()
  const caller = darajaCaller(simulator, merchant.url)
  await expect(caller.push({ PhoneNumber: PAYS, AccountReference: 'lost' })).rejects.toThrow()
  await advance(simulator, 10_000)
  expect(merchant.received).toMatchObject([{ path: '/push', body: { Body: { stkCallback: { ResultCode: 0 } } } }])
  expect(referencesOf(await caller.pull())).toEqual(['lost'])
})

test('reaches back 48 hours, whatever the request says', async () => {
  const simulator = await simulatedDaraja()
  const caller = darajaCaller(simulator)
  await caller.push({ PhoneNumber: PAYS })
  await advance(simulator, 2_000 + 48 * HOUR_MS)
  expect(rowsOf(await caller.pull())).toHaveLength(1)
  await advance(simulator, 1)
  expect((await caller.pull()).body.ResponseCode).toBe('1001')
})

test('lists only the requested time, in Nairobi’s time', async () => {
  const simulator = await simulatedDaraja()
  const caller = darajaCaller(simulator)
  for (const AccountReference of ['first', 'second', 'third']) {
    await caller.push({ PhoneNumber: PAYS, AccountReference })
    await advance(simulator, 2 * HOUR_MS)
  }
  expect(referencesOf(await caller.pull())).toEqual(['first', 'second', 'third'])
  const between = { StartDate: hoursAgo(simulator, 5), EndDate: hoursAgo(simulator, 3) }
  expect(referencesOf(await caller.pull(between))).toEqual(['second'])
  expect(await caller.pull({ StartDate: between.EndDate, EndDate: between.StartDate })).toMatchObject({
    status: 400,
    body: { errorCode: '400.002.02' },
  })
})

test('pages by OffSetValue until there is nothing more', async () => {
  const simulator = await simulatedDaraja()
  const caller = darajaCaller(simulator)
  const sent = Array.from({ length: 103 }, (_each, number) => `order ${number}`)
  for (const AccountReference of sent) {
    await caller.push({ PhoneNumber: PAYS, AccountReference })
    await advance(simulator, 1)
  }
  await advance(simulator, 10_000)
  const pages: CallerReply[] = []
  for (const OffSetValue of ['0', '100', '103']) pages.push(await caller.pull({ OffSetValue }))
  expect(pages.map(({ body }) => body.ResponseCode)).toEqual(['1000', '1000', '1001'])
  expect(pages.map((page) => rowsOf(page).length)).toEqual([100, 3, 0])
  expect(pages.flatMap(referencesOf)).toEqual(sent)
})

test('a short code is registered once for the list', async () => {
  const caller = darajaCaller(await simulatedDaraja())
  const fields = { ShortCode: SIMULATED_MERCHANT.payBill, RequestType: 'Pull', NominatedNumber: '254712345678' }
  const register = () => caller.post('registerPull', { ...fields, CallBackURL: 'https://shop.example/pulled' })
  expect([await register(), await register()]).toMatchObject([
    { body: { ResponseStatus: '1000' } },
    { body: { ResponseStatus: '1001' } },
  ])
})
