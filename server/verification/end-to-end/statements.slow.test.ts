import { expect, test, vi } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { json, malipo } from '../../admin/cli/testing/command-line.ts'
import { environmentOf } from '../../admin/cli/testing/operated-gateway.ts'
import { present } from '../../domain/present.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { collect, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

// The end of a day in short: a payment over the wire, the operator's own file, and the difference. In real time, which
// the commands use too; no window, so that the test does not have to wait.

const { gateway, database } = await gatewayTest({ clock: 'real', surroundings: { runJobs: true }, env: OWN_RAILS })
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
})
