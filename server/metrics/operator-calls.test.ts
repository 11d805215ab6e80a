import { expect, test } from 'vitest'
import type { CircuitStateName } from '../actions/ports/operator-exchanges.ts'
import { figures, given, samples } from './testing/sample-metrics.ts'
import { valueOf } from './testing/test-exposition.ts'

const DRIFT = 'malipo_operator_drift_total'
const CIRCUIT = 'malipo_operator_circuit_state'

test('counts calls by rail account, purpose and outcome, and times what began', async () => {
  const { metrics } = given()
  const { exchanged: reported } = metrics.watchRailAccount('mtn-ug', () => 'closed')
  reported({ purpose: 'token', outcome: 'ok', durationMs: 40 })
  reported({ purpose: 'submit', outcome: 'no_answer', durationMs: 15_000 })
  reported({ purpose: 'submit', outcome: 'not_sent' })
  reported({ purpose: 'check', outcome: 'refused', durationMs: 40 })
  const calls = (purpose: string, outcome: string) =>
    `malipo_operator_calls_total{rail_account="mtn-ug",purpose="${purpose}",outcome="${outcome}"}`
  expect(await samples(metrics)).toMatchObject({
    [calls('token', 'ok')]: 1,
    [calls('submit', 'no_answer')]: 1,
    [calls('submit', 'not_sent')]: 1,
    [calls('submit', 'ok')]: 0,
    [calls('check', 'refused')]: 1,
    'malipo_operator_call_duration_seconds_count{rail_account="mtn-ug",purpose="submit"}': 1,
    'malipo_operator_call_duration_seconds_sum{rail_account="mtn-ug",purpose="submit"}': 15,
  })
})

test('shows the circuit as it is at the scrape', async () => {
  const { metrics } = given()
  let state: CircuitStateName = 'closed'
  metrics.watchRailAccount('mtn-ug', () => state)
  const shown = async () => {
    const families = await figures(metrics)
    return (['closed', 'open', 'half_open'] as const).map((each) =>
      valueOf(families, CIRCUIT, { rail_account: 'mtn-ug', state: each }),
    )
  }
  expect(await shown()).toEqual([1, 0, 0])
  state = 'open'
  expect(await shown()).toEqual([0, 1, 0])
})

test('counts contract drift by field and shape in a bounded number of series', async () => {
  const { metrics } = given()
  const { drifted } = metrics.watchRailAccount('mtn-ug', () => 'closed')
  const drift = { source: 'getOrder', field: 'reason', shape: 'is missing' }
  for (let n = 0; n < 150; n += 1) drifted({ ...drift, field: `field${n}` })
  drifted({ ...drift, field: 'field0' })
  const families = await figures(metrics)
  const counted = (labels: object) => valueOf(families, DRIFT, { rail_account: 'mtn-ug', ...labels })
  expect(counted({ ...drift, field: 'field0' })).toBe(2)
  expect(counted({ source: 'other', field: '*', shape: 'other' })).toBe(50)
  expect((await metrics.scrape()).match(/^malipo_operator_drift_total\{/gm)).toHaveLength(101)
})

test('shows nothing of a removed rail account', async () => {
  const { metrics } = given()
  const { exchanged: reported, drifted, end } = metrics.watchRailAccount('mtn-ug', () => 'closed')
  reported({ purpose: 'provision', outcome: 'ok', durationMs: 1 })
  for (let n = 0; n < 150; n += 1) drifted({ source: 'getOrder', field: `field${n}`, shape: 'is missing' })
  end()
  expect(await metrics.scrape()).not.toContain('mtn-ug')
})
