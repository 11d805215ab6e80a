import { beforeEach, expect, test } from 'vitest'
import { createClock, SIMULATORS, startSimulator, type Scenario } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { collect, payOut, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// What M-PESA rejects or declines, from the rail account with `push_throttled` to the merchant.

const clock = createClock({ frozen: true, realNow: () => Date.parse('2026-03-02T07:30:00Z') })
const { gateway, after } = await gatewayTest({ clock, toReceiver: ['payout_callback_url'], env: OWN_RAILS })
const operator = present(SIMULATORS['daraja'], 'the simulator of Daraja')({})
const daraja = await forFile(startSimulator(operator, { clock, seed: 7 }))
const settings = { failures_until_open: '1000', push_throttled: 'not_sent' }
await installRail(gateway, daraja, { name: 'kenya', providers: ['mpesa_ke'], settings })
beforeEach(() => daraja.scenarios.clear())

const during = (effect: Scenario['effect'], operation: string) => daraja.scenarios.add([{ on: { operation }, effect }])
const recordOf = async (reference: string) => (await verify(gateway.url, reference)).body.data
const order = (merchant_reference: string) => ({
  provider_code: 'mpesa_ke',
  currency: 'KES',
  amount: 500,
  merchant_reference,
})
const pushAnswers = () =>
  daraja.world.exchanges
    .all()
    .filter(({ operation }) => operation === 'stkPush')
    .map(({ status }) => status)
    .toReversed()

test('resends a prompt that was rejected for the rate of calls', async () => {
  for (const value of ['spike', 'front_quota']) during({ do: 'quirk', name: 'throttled', value }, 'stkPush')
  const reference = uniqueReference()
  await collect(gateway.url, { ...order(reference), msisdn: '254719990001' })
  await gateway.runDue()
  for (const ms of [1_000, 2_000]) await after(ms)
  expect(pushAnswers()).toEqual([500, 429, 200])
  expect(daraja.world.orders.of('254719990001')).toHaveLength(1)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
})

test('fails a payout that M-PESA reports as declined', async () => {
  during({ do: 'settle', as: 'failed', code: '2040' }, 'payOut')
  during({ do: 'callback', times: 0 }, 'payOut')
  const reference = uniqueReference()
  await payOut(gateway.url, { ...order(reference), account_number: '254719990002' })
  await gateway.runDue()
  await after(2_000)
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  await after(120_000)
  clock.advance(2_000)
  await daraja.callbacks.idle()
  await gateway.runDue()
  expect(await recordOf(reference)).toMatchObject({ transaction_status: 'FAILED', failure_code: 'operator_error' })
  expect(daraja.world.orders.of('254719990002').map(({ moved }) => moved)).toEqual([0])
})
