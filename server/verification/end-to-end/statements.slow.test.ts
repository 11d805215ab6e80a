import { expect, test, vi } from 'vitest'
import { SIMULATORS, startSimulator, type Scenario } from '../../../openapi/operators/simulator/index.ts'
import { json, malipo as command } from '../../admin/cli/testing/command-line.ts'
import { environmentOf } from '../../admin/cli/testing/operated-gateway.ts'
import { present } from '../../domain/present.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { collect, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

// The end of a day in short: a payment over the wire, the operator's own file, and the difference. In real time, which
// the commands use too; no window, so that the test does not have to wait.

const { gateway, database, receiver, malipo } = await gatewayTest({
  clock: 'real',
  toReceiver: ['refund_callback_url'],
  surroundings: { runJobs: true },
  env: OWN_RAILS,
})
const env = environmentOf(database)
const folder = temporaryFolder()
const operator = present(SIMULATORS['daraja'], 'the simulator of Daraja')({})
const daraja = await forFile(startSimulator(operator, { auto: true }))
await installRail(gateway, daraja, {
  name: 'mobile-kenya',
  providers: ['mpesa_ke'],
  settings: { pull: 'no', statement_window_hours: '0' },
})

const becomes = (reference: string, status: string) =>
  vi.waitFor(
    async () => expect((await verify(gateway.url, reference)).body.data).toMatchObject({ transaction_status: status }),
    { timeout: 60_000, interval: 200 },
  )

// The receipt comes from the statement.
test('the statement ends a prompt whose reply and callback were lost, charged once', async () => {
  const msisdn = '254712000123'
  daraja.scenarios.add([
    { on: { operation: 'stkPush', msisdn }, effect: { do: 'close', when: 'after' } },
    { on: { operation: 'stkPush', msisdn }, effect: { do: 'callback', times: 0 } },
  ])
  const reference = uniqueReference()
  const requested = { provider_code: 'mpesa_ke', currency: 'KES', amount: 150, merchant_reference: reference }
  expect(await collect(gateway.url, { ...requested, msisdn })).toMatchObject({ status: 202 })
  await vi.waitFor(() => expect(daraja.world.orders.of(msisdn)).toMatchObject([{ state: 'succeeded', moved: 1 }]), {
    timeout: 60_000,
    interval: 200,
  })
  await becomes(reference, 'PROCESSING')
  // As downloaded from the operator's portal.
  const statement = await (await fetch(`${daraja.url}/simulator/statement.csv`)).text()
  const file = folder.written('mobile-kenya.csv', statement)
  await json(['statement', 'import', 'mobile-kenya', file], env)
  expect(await json(['reconcile', 'mobile-kenya'], env)).toMatchObject({ completed_orders: 1, exceptions: [] })
  await becomes(reference, 'COMPLETED')
  const [order] = daraja.world.orders.of(msisdn)
  const shown = await command(['transaction', 'show', reference], env)
  const receipt = present(order?.receipts[0], 'the receipt')
  expect(shown.out).toContain(receipt)
  const history = await json<{ kind: string; detail: string }[]>(['transaction', 'events', reference], env)
  expect(history.find(({ kind }) => kind === 'settled')?.detail).toMatch(
    new RegExp(
      String.raw`^COMPLETED: .* \(by the operator's statement: ${receipt}, line 2 of mobile-kenya\.csv, import \d+\)$`,
    ),
  )
  expect(daraja.world.orders.of(msisdn)).toHaveLength(1)

  // Polled again, the operator returns the same result: that is no second movement.
  await json(['rail', 'set', 'mobile-kenya', '--set', 'pull=yes'], env)
  expect(await json(['statement', 'pull', 'mobile-kenya', '--since', '1h'], env)).toMatchObject({
    lines: 1,
    new_lines: 0,
  })
})

const airtel = await forFile(
  startSimulator(present(SIMULATORS['airtel'], 'the simulator of Airtel')({}), { auto: true }),
)
const addressOf = await installRail(gateway, airtel, {
  name: 'airtel-uganda',
  providers: ['airtel_ug'],
  settings: { transactions_list: 'no', statement_window_hours: '0' },
})
airtel.open.setCallbackUrl?.(addressOf('callback', new Date()))

const KENYA = { rail: 'mobile-kenya', operator: daraja, call: 'reverse', provider_code: 'mpesa_ke', currency: 'KES' }
const UGANDA = { rail: 'airtel-uganda', operator: airtel, call: 'refund', provider_code: 'airtel_ug', currency: 'UGX' }
const AMOUNT = 5000

type Operator = typeof KENYA

let customers = 0
/** Refunds one of two collections, so that the wallet covers it, until only its statement knows what became of it. */
async function refunded({ operator, call, provider_code, currency }: Operator, effect: Scenario['effect']) {
  operator.scenarios.add([{ on: { operation: call }, effect }])
  const paid = [uniqueReference(), uniqueReference()] as const
  for (const merchant_reference of paid) {
    // M-PESA prompts a phone once a minute.
    const msisdn = `${currency === 'KES' ? '25471200' : '25675200'}${++customers}123`
    expect(
      await collect(gateway.url, { provider_code, currency, amount: AMOUNT, merchant_reference, msisdn }),
    ).toMatchObject({ status: 202 })
    await becomes(merchant_reference, 'COMPLETED')
  }
  const reference = uniqueReference()
  const before = await available(currency)
  await malipo.collections.refund({ merchant_reference: reference, collection_reference: paid[0], reason: 'Returned' })
  await vi.waitFor(
    async () => {
      const { rows } = await gateway.pool.query(
        `select from jobs j join transactions t on t.id = j.subject_id where t.merchant_reference = $1
           and t.type = 'REFUND' and j.kind in ('pollRefund', 'resolveRefund')`,
        [reference],
      )
      expect(rows).toHaveLength(1)
      expect(operator.world.orders.all().filter(({ state }) => state === 'waiting')).toEqual([])
    },
    { timeout: 60_000, interval: 200 },
  )
  operator.scenarios.clear()
  expect(await available(currency)).toBe(before - AMOUNT)
  return { reference, before }
}

const available = async (currency: string) =>
  present(
    (await malipo.wallets.list({ currency })).find(({ wallet_type: type }) => type === 'MERCHANT_COLLECTION'),
    'the collection wallet',
  ).available_balance

async function reconciled({ operator, rail }: Operator) {
  const statement = await (await fetch(`${operator.url}/simulator/statement.csv`)).text()
  await json(['statement', 'import', rail, folder.written(`${rail}.csv`, statement)], env)
  return json(['reconcile', rail], env)
}

/** The refund, once its callback has come. */
async function ended(reference: string) {
  await vi.waitFor(() => expect(receiver.about(reference)).toHaveLength(1), { timeout: 60_000, interval: 200 })
  const record = await malipo.collections.retrieveRefund(reference)
  expect(receiver.about(reference)[0]?.json.payload).toEqual(record)
  return record.transaction_status
}

test.each([
  ['M-PESA reversed without a result', KENYA, { do: 'callback', times: 0 }],
  ['Airtel refunded without an answer', UGANDA, { do: 'close', when: 'after' }],
] as const)('the statement completes once what %s', async (_, at, effect) => {
  const { reference, before } = await refunded(at, effect)
  expect(await reconciled(at)).toMatchObject({ completed_orders: 1, exceptions: [] })
  expect(await ended(reference)).toBe('COMPLETED')
  expect(await reconciled(at)).toMatchObject({ completed_orders: 0, opened: 0, exceptions: [] })
  expect(await available(at.currency)).toBe(before - AMOUNT)
  expect(receiver.about(reference)).toHaveLength(1)
  await expectBalancedBooks(gateway)
})

test('staff ends a refund that M-PESA never got, and its hold', async () => {
  const { reference, before } = await refunded(KENYA, { do: 'close', when: 'before' })
  await json(['transaction', 'resolve', reference, '--failed', 'The statement does not have it'], env)
  expect(await ended(reference)).toBe('FAILED')
  expect(await reconciled(KENYA)).toMatchObject({ completed_orders: 0, exceptions: [] })
  expect(await available(KENYA.currency)).toBe(before)
  await expectBalancedBooks(gateway)
})
