import type { Clock } from '../../actions/ports/clock.ts'
import type { OperatorExchange } from '../../actions/ports/operator-exchanges.ts'
import { SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { systemTimers } from '../../start/timers.ts'
import { createCircuit } from '../circuit.ts'
import { createExchange } from '../exchange/exchange.ts'
import { contractOf } from '../operator-contract.ts'
import type { RailKind, RailWorld, SettingValues } from '../rail-kind.ts'

export interface ExchangeAt {
  readonly fetchFor: RailWorld['fetchFor']
  /** The stored record of each call, in order. */
  readonly records: readonly OperatorExchange[]
  close(): Promise<void>
}

/** The gateway's own exchange with a server at `url`, without a circuit that could open. */
export function exchangeAt(kind: RailKind, url: string, settings: SettingValues, clock: Clock): ExchangeAt {
  const records: OperatorExchange[] = []
  const { fetchFor, close } = createExchange({
    railAccount: {
      name: 'tested',
      baseUrl: url,
      secrets: Object.entries(kind.settings).flatMap(([name, { secret }]) => (secret && settings[name]) || []),
    },
    contract: contractOf(kind),
    policy: SANDBOX_POLICY,
    circuit: createCircuit(clock, { failuresInARow: Infinity, callsMin: Infinity }),
    record: { add: (record) => void records.push(record) },
    onExchange: () => undefined,
    clock,
    timers: systemTimers,
  })
  return { fetchFor, records, close }
}
