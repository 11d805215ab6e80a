import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  SIMULATORS,
  startSimulator,
  type Scenario,
  type Simulator,
} from '../../../openapi/operators/simulator/index.ts'
import { json, malipo } from '../../admin/cli/testing/command-line.ts'
import { environmentOf } from '../../admin/cli/testing/operated-gateway.ts'
import { present } from '../../domain/present.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { collect, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// The end of a day in short: payments over the wire, the operator's own file, and the differences. In real time, which
// the
// commands use too; no window, so that the test does not have to wait.

const { gateway, database } = await gatewayTest({ clock: 'real', surroundings: { runJobs: true }, env: OWN_RAILS })
const env = environmentOf(database)
const folder = await mkdtemp(join(tmpdir(), 'malipo-statements-'))
await forFile(Promise.resolve({ close: () => rm(folder, { recursive: true, force: true }) }))

const simulated = async (name: string, currency?: string): Promise<Simulator> => {
  const operator = present(SIMULATORS[name], `the simulator of ${name}`)(currency === undefined ? {} : { currency })
  return forFile(startSimulator(operator, { auto: true }))
}
const mtn = await simulated('mtn-momo', 'UGX')
await installRail(gateway, mtn, {
  name: 'mtn-uganda',
  providers: ['mtn_ug'],
  settings: { target_environment: 'sandbox', statement_window_hours: '0', fee_in: '0' },
})
const daraja = await simulated('daraja')
await installRail(gateway, daraja, {
  name: 'mobile-kenya',
  providers: ['mpesa_ke'],
  settings: { pull: 'no', statement_window_hours: '0' },
})

async function paid(msisdn: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const merchant_reference = uniqueReference()
  const { status, body } = await collect(gateway.url, { merchant_reference, msisdn, ...more })
  expect(status, JSON.stringify(body)).toBe(202)
  return merchant_reference
}

const becomes = (reference: string, status: string) =>
  vi.waitFor(
    async () => expect((await verify(gateway.url, reference)).body.data).toMatchObject({ transaction_status: status }),
    { timeout: 25_000, interval: 200 },
  )

/** The file as downloaded from the operator's portal and read by the command. */
async function importOf(simulator: Simulator, railAccount: string) {
  const file = join(folder, `${railAccount}.csv`)
  await writeFile(file, await (await fetch(`${simulator.url}/simulator/statement.csv`)).text())
  return json<{ lines: number; new_lines: number }>(['statement', 'import', railAccount, file], env)
}

interface ExceptionOutput {
  readonly kind: string
  readonly merchant_reference: string | null
  readonly expected: string | null
  readonly found: string | null
  readonly suspense: string
  readonly id: number
}
const reconciled = (railAccount: string) =>
  json<{ exceptions: readonly ExceptionOutput[]; completed_orders: number }>(['reconcile', railAccount], env)

test("lists the operator's differences until each is ended with a reason", async () => {
  const plant = async (difference: Extract<Scenario['effect'], { do: 'plant' }>['difference']): Promise<string> => {
    const msisdn = uniqueMsisdn()
    mtn.scenarios.add([{ on: { msisdn }, effect: { do: 'plant', difference, late_ms: 3_600_000 } }])
    return paid(msisdn)
  }
  const first = await paid(uniqueMsisdn())
  await becomes(first, 'COMPLETED')
  const references: string[] = []
  for (const difference of ['missing', 'doubled', 'amount', 'fee', 'late'] as const)
    references.push(await plant(difference))
  for (const reference of references) await becomes(reference, 'COMPLETED')
  const [missing, doubled, amount, fee, late] = references

  expect(await importOf(mtn, 'mtn-uganda')).toMatchObject({ lines: 6, new_lines: 6 })
  const { exceptions } = await reconciled('mtn-uganda')
  const reported = exceptions.map((each) => [
    each.kind,
    each.merchant_reference,
    each.expected,
    each.found,
    each.suspense,
  ])
  expect(reported).toHaveLength(5)
  expect(reported).toEqual(
    expect.arrayContaining([
      ['missing_at_operator', missing, '5000', null, '-5000'],
      ['duplicate', doubled, null, '5000', '5000'],
      ['amount_differs', amount, '5000', '5001', '1'],
      ['fee_differs', fee, '0', '1', '-1'],
      ['late', late, '5000', '5000', '0'],
    ]),
  )

  expect(await importOf(mtn, 'mtn-uganda')).toMatchObject({ lines: 6, new_lines: 0 })
  const one = present(
    exceptions.find(({ kind }) => kind === 'duplicate'),
    'the duplicate',
  )
  const ended = await malipo(
    ['reconcile', 'end', String(one.id), '--reason', 'Given back by MTN', '--move-to', 'outside', '--by', 'amina'],
    env,
  )
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('5000 UGX went from the suspense account') })
  expect((await reconciled('mtn-uganda')).exceptions).toHaveLength(4)
  const again = await malipo(['reconcile', 'end', String(one.id), '--reason', 'Again'], env)
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringContaining('was ended before, by amina: Given back by MTN'),
  })
}, 120_000)

// The receipt comes from the statement.
test('the statement ends a prompt whose reply and callback were lost, charged once', async () => {
  const msisdn = '254712000123'
  daraja.scenarios.add([
    { on: { operation: 'stkPush', msisdn }, effect: { do: 'close', when: 'after' } },
    { on: { operation: 'stkPush', msisdn }, effect: { do: 'callback', times: 0 } },
  ])
  const reference = await paid(msisdn, { provider_code: 'mpesa_ke', currency: 'KES', amount: 150 })
  await vi.waitFor(() => expect(daraja.world.orders.of(msisdn)).toMatchObject([{ state: 'succeeded', moved: 1 }]), {
    timeout: 25_000,
    interval: 200,
  })
  await becomes(reference, 'PROCESSING')
  await importOf(daraja, 'mobile-kenya')
  expect(await reconciled('mobile-kenya')).toMatchObject({ completed_orders: 1, exceptions: [] })
  await becomes(reference, 'COMPLETED')
  const [order] = daraja.world.orders.of(msisdn)
  const shown = await malipo(['transaction', 'show', reference], env)
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
}, 120_000)
