import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Rail, RailKnowledge } from '../../actions/ports/rail.ts'
import { present } from '../../domain/present.ts'
import { examine } from '../../admin/queries/doctor.ts'
import { listStuck } from '../../admin/queries/stuck-transactions.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { collect, uniqueReference, verify } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

// An operator returns a result code that no table explains: the order stays open, and staff are notified at once.

const POLL_AFTER_MS = 20_000
let known: RailKnowledge = { knows: 'unreachable', error: 'result code 2999', unmappedCode: '2999' }
const operator: Rail = {
  traitsOf: () => ({ repeat: 'never', pollAfterMs: () => POLL_AFTER_MS }),
  submit: async (orders) => orders.map(() => ({ answer: 'accepted' })),
  query: async (orders) => orders.map(() => known),
}
const logged: Readonly<Record<string, unknown>>[] = []
const logger = pino(
  { level: 'warn' },
  { write: (line: string) => void logged.push(JSON.parse(line) as Readonly<Record<string, unknown>>) },
)
const { gateway, clock, after } = await gatewayTest({
  surroundings: { rails: { mtn_ug: operator }, logger },
  env: { ...OWN_RAILS, MALIPO_METRICS_PORT: '0', MALIPO_METRICS_HOST: '127.0.0.1' },
})

const reportedBy = async (reference: string) => ({
  stuck: (await listStuck(gateway.pool, { before: new Date(0), merchantId: undefined, limit: 10 })).map(
    ({ merchantReference, isUnmapped }) => [merchantReference, isUnmapped],
  ),
  doctor: (await examine(gateway.pool, clock.now())).flatMap(({ found, examples }) => (found > 0 ? examples : [])),
  log: logged.flatMap(({ code }) => code ?? []),
  metric: /^malipo_unmapped_results_total\{.*\} (\d+)$/m.exec(
    await (await fetch(present(gateway.metricsUrl, 'the address of the metrics'))).text(),
  )?.[1],
  status: (await verify(gateway.url, reference)).body.data['transaction_status'],
})

test('reports an unexplained result code at once, and while the order is open', async () => {
  const reference = uniqueReference()
  expect((await collect(gateway.url, { merchant_reference: reference })).status).toBe(202)
  await gateway.runDue()
  expect(await reportedBy(reference)).toMatchObject({ stuck: [], doctor: [], log: [] })

  await after(POLL_AFTER_MS)
  const reported = {
    stuck: [[reference, true]],
    doctor: [expect.stringContaining(`(${reference}, PROCESSING): The operator answers with result code 2999`)],
    log: ['2999'],
    metric: '1',
    status: 'PROCESSING',
  }
  expect(await reportedBy(reference)).toEqual(reported)
  await after(POLL_AFTER_MS)
  expect(await reportedBy(reference)).toEqual(reported)

  known = { knows: 'outcome', outcome: { status: 'COMPLETED' } }
  await after(POLL_AFTER_MS)
  expect(await reportedBy(reference)).toMatchObject({ stuck: [], doctor: [], status: 'COMPLETED' })
})
