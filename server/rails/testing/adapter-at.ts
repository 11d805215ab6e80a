import { onTestFinished } from 'vitest'
import type { OperatorExchange } from '../../actions/ports/operator-exchanges.ts'
import type { Currency } from '../../domain/money.ts'
import { SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { systemTimers } from '../../start/timers.ts'
import { fixedClock } from '../../verification/testing/fixed-clock.ts'
import { createCircuit } from '../circuit.ts'
import { createExchange } from '../exchange/exchange.ts'
import { contractOf } from '../operator-contract.ts'
import { NotSent } from '../operator-errors.ts'
import type { Adapter, RailKind, RailWorld, SettingValues } from '../rail-kind.ts'
import { startScriptedOperator, type ScriptedOperator } from './scripted-operator.ts'

const addressOf = (orderId: string, tail?: string): string =>
  ['https://pay.example/operators/tested/f00d', orderId, ...(tail === undefined ? [] : [tail])].join('/')

/** The world of an adapter, without an operator: every call throws NotSent. */
export const worldOf = (kind: RailKind, currency: Currency, changes: Partial<RailWorld> = {}): RailWorld => ({
  clock: fixedClock(),
  random: { bytes: (size) => new Uint8Array(size) },
  currency,
  contract: contractOf(kind),
  callbackUrl: addressOf,
  accountUrl: (tail) => addressOf('account', tail),
  failureCodes: new Map(),
  fetchFor: () => () => Promise.reject(new NotSent('nobody is there')),
  ...changes,
})

interface AdapterAt {
  readonly adapter: Adapter
  /** The stored record of each call, in order. */
  readonly records: readonly OperatorExchange[]
}

/** An adapter with the gateway's own exchange to the server at `base_url`, without a circuit that could open. */
export function adapterAt(
  kind: RailKind,
  settings: SettingValues & { readonly base_url: string },
  world: RailWorld,
): AdapterAt {
  const records: OperatorExchange[] = []
  const { fetchFor, close } = createExchange({
    railAccount: {
      name: 'tested',
      baseUrl: settings.base_url,
      secrets: Object.entries(kind.settings).flatMap(([name, { secret }]) => (secret && settings[name]) || []),
    },
    contract: contractOf(kind),
    policy: SANDBOX_POLICY,
    circuit: createCircuit(world.clock, { failuresInARow: Infinity, callsMin: Infinity }),
    record: { add: (record) => void records.push(record) },
    onExchange: () => undefined,
    clock: world.clock,
    timers: systemTimers,
  })
  onTestFinished(close)
  return { adapter: kind.connect(settings, { ...world, fetchFor }), records }
}

/** The same with an operator that the test scripts. */
export async function scriptedAdapter(
  kind: RailKind,
  settings: SettingValues,
  world: RailWorld,
): Promise<AdapterAt & { readonly operator: ScriptedOperator }> {
  const operator = await startScriptedOperator()
  onTestFinished(() => operator.close())
  return { operator, ...adapterAt(kind, { ...settings, base_url: operator.url }, world) }
}
