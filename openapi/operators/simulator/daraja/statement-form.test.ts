import { expect, test } from 'vitest'
import type { Scenario } from '../scenarios/effects.ts'
import type { Simulator } from '../simulator.ts'
import { darajaCaller, simulatedDaraja } from './testing/daraja-caller.ts'
import { advance } from '../testing/simulated.ts'
import { dashedTime } from './nairobi-time.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const HEADER =
  'Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance,A/C No.,Other Party Info,Linked Transaction ID'

async function statementOf({ url }: Simulator, account: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/simulator/statement.csv?account=${account}`)
  return (await response.text()).trimEnd().split('\r\n')
}

async function afterAPush(...scenarios: Scenario[]): Promise<Simulator> {
  const simulator = await simulatedDaraja({ scenarios })
  await darajaCaller(simulator).push({ PhoneNumber: '254700000000' })
  await advance(simulator, 10_000)
  return simulator
}

test('the statement of a short code has its receipts and its payouts', async () => {
  const simulator = await afterAPush()
  await darajaCaller(simulator).payOut()
  await advance(simulator, 10_000)
  const [paid, payout] = simulator.world.orders.all()
  const time = (order: typeof paid) => dashedTime(order?.settledAt ?? new Date(0))
  expect(await statementOf(simulator, SIMULATED_MERCHANT.payBill)).toEqual([
    HEADER,
    `${paid?.receipts[0]},${time(paid)},Customer payment from 254700000000,Completed,500.00,,1000500.00,MLPRQZVFYDQT,254700000000 - Simulated Customer,`,
  ])
  expect(await statementOf(simulator, SIMULATED_MERCHANT.payoutShortCode)).toEqual([
    HEADER,
    `${payout?.receipts[0]},${time(payout)},Business payment to 254712345678,Completed,,20000.00,980000.00,,254712345678 - Simulated Customer,`,
  ])
})

test('a planted charge is a line of its own with the same receipt', async () => {
  const simulator = await afterAPush({ effect: { do: 'plant', difference: 'fee', value: '12.5' } })
  const [, payment = '', charge = ''] = await statementOf(simulator, SIMULATED_MERCHANT.payBill)
  expect(charge.split(',')[0]).toBe(payment.split(',')[0])
  expect(charge).toContain(',Charge for customer payment,Completed,,12.50,')
})
