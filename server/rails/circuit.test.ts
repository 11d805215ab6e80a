import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedClock } from '../verification/testing/gateway.ts'
import { createCircuit, type CallOutcome, type CircuitSettings } from './circuit.ts'

const SETTINGS: CircuitSettings = {
  failuresInARow: 3,
  failedShare: 0.5,
  windowMs: 60_000,
  callsMin: 10,
  openMs: 15_000,
}

function given(settings: Partial<CircuitSettings> = {}) {
  const clock = fixedClock()
  const circuit = createCircuit(clock, { ...SETTINGS, ...settings })
  const call = (...outcomes: CallOutcome[]) => {
    for (const outcome of outcomes) circuit.enter()?.(outcome)
    return circuit.state().state
  }
  return { clock, circuit, call }
}
const times = (count: number, outcome: CallOutcome): CallOutcome[] => Array<CallOutcome>(count).fill(outcome)

test('opens after failures in a row, since then, and lets nothing through', () => {
  const { clock, circuit, call } = given()
  expect(call('failed', 'failed', 'ok', 'failed', 'failed')).toBe('closed')
  clock.advance(1_000)
  expect(call('failed')).toBe('open')
  clock.advance(1_000)
  expect(circuit.state()).toEqual({ state: 'open', since: new Date('2026-03-01T08:00:01Z') })
  expect(circuit.enter()).toBeUndefined()
})

test('an inconclusive reply neither continues nor ends a series of failures', () => {
  expect(given().call('doubtful', 'doubtful', 'doubtful', 'doubtful')).toBe('closed')
  expect(given().call('failed', 'failed', 'doubtful', 'failed')).toBe('open')
})

test.each(['failed', 'doubtful'] as const)('opens when half of the calls of a minute are %s', (bad) => {
  const { call } = given({ failuresInARow: 100 })
  expect(call(...times(5, 'ok'), ...times(4, bad))).toBe('closed')
  expect(call(bad)).toBe('open')
})

test('what is older than the window does not count', () => {
  const { clock, call } = given({ failuresInARow: 100 })
  call(...times(5, 'ok'), ...times(4, 'failed'))
  clock.advance(60_000)
  expect(call('failed')).toBe('closed')
})

test.each<[CallOutcome, string]>([
  ['ok', 'closed'],
  ['doubtful', 'closed'],
  ['failed', 'open'],
])('after its time one call tries, alone: when it is %s, the circuit is %s', (outcome, state) => {
  const { clock, circuit, call } = given()
  call('failed', 'failed', 'failed')
  clock.advance(14_999)
  expect(circuit.state().state).toBe('open')
  clock.advance(1)
  const probe = circuit.enter()
  expect(circuit.state().state).toBe('half_open')
  expect(circuit.enter()).toBeUndefined()
  probe?.(outcome)
  expect(circuit.state().state).toBe(state)
})

test('a call that began before the circuit opened does not close it', () => {
  const { clock, circuit, call } = given()
  const slow = circuit.enter()
  call('failed', 'failed', 'failed')
  slow?.('ok')
  expect(circuit.state().state).toBe('open')
  clock.advance(15_000)
  circuit.enter()
  slow?.('ok')
  expect(circuit.state().state).toBe('half_open')
})

test('after it closed, failures count from nothing', () => {
  const { clock, call } = given()
  call('failed', 'failed', 'failed')
  clock.advance(15_000)
  expect(call('ok', 'failed', 'failed')).toBe('closed')
  expect(call('failed')).toBe('open')
})

test('a clock that is set back does not keep it open', () => {
  const { clock, circuit, call } = given()
  call('failed', 'failed', 'failed')
  clock.advance(-3_600_000)
  expect(circuit.enter()).toBeDefined()
})

const event = fc.oneof(
  fc.record({ do: fc.constant('enter' as const) }),
  fc.record({
    do: fc.constant('end' as const),
    which: fc.nat(5),
    outcome: fc.constantFrom<CallOutcome>('ok', 'failed', 'doubtful'),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat(20_000) }),
)

test('any order of events: open passes nothing, half open one call, recovery is found', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      const { clock, circuit } = given()
      let out: ((outcome: CallOutcome) => void)[] = []
      let openedAt: number | undefined
      let probes = 0
      for (const each of events) {
        const before = circuit.state()
        if (before.state !== 'half_open') probes = 0
        if (each.do === 'wait') clock.advance(each.ms)
        if (each.do === 'enter') {
          const end = circuit.enter()
          if (before.state === 'open') expect(end).toBeUndefined()
          if (before.state === 'closed') expect(end).toBeDefined()
          if (before.state === 'half_open' && end) expect((probes += 1)).toBe(1)
          if (end) out.push(end)
        }
        if (each.do === 'end') {
          const end = out[each.which]
          out = out.filter((one) => one !== end)
          end?.(each.outcome)
          end?.('ok')
        }
        const { state, since } = circuit.state()
        if (state === 'open') openedAt ??= since.getTime()
        else openedAt = undefined
        if (openedAt !== undefined) expect(clock.now().getTime() - since.getTime()).toBeLessThan(15_000)
      }
      for (const end of out) end('failed')
      clock.advance(15_000)
      circuit.enter()?.('ok')
      expect(circuit.state().state).toBe('closed')
    }),
    { numRuns: 500 },
  )
})
