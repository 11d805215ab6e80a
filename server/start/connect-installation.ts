import { readFileSync } from 'node:fs'
import type { Clock } from '../actions/ports/clock.ts'
import type { DriftRecord, ExchangeRecord } from '../actions/ports/operator-exchanges.ts'
import type { Rail } from '../actions/ports/rail.ts'
import type { TraceCall } from '../actions/ports/tracing.ts'
import type { Installation } from '../domain/installation.ts'
import type { Random } from '../domain/references.ts'
import { operatorCallbackPath } from '../http/operator-callbacks.ts'
import type { OperatorCallMetrics, WatchedInstallation } from '../metrics/operator-calls.ts'
import type { OutboundPolicy } from '../outbound/outbound-guard.ts'
import { createCircuit, type Circuit } from '../rails/circuit.ts'
import { createExchange } from '../rails/exchange/exchange.ts'
import type { CallDispatcher } from '../rails/exchange/one-call.ts'
import { createInstalledRail } from '../rails/installed-rail.ts'
import { operatorContract } from '../rails/operator-contract.ts'
import type { Adapter, RailKind, RailWorld, SettingValues } from '../rails/rail-kind.ts'
import { settingsOf, withDefaults } from '../rails/settings.ts'
import type { Timers } from '../work/timers.ts'

/** What every installation is connected with. */
export interface InstallationSurroundings {
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly policy: OutboundPolicy
  /** In the place of guarded connections, where there is no network. */
  readonly dispatcher?: CallDispatcher
  /** How operators reach this gateway; undefined when nobody knows. */
  readonly publicUrl: () => string | undefined
  readonly record: ExchangeRecord
  /** Absent: what differs from an operator's contract is counted in the metrics only. */
  readonly drifts?: DriftRecord
  /** Counts its calls, and shows its circuit. */
  readonly watch: OperatorCallMetrics['watchInstallation']
  /** Absent: its calls belong to no trace. */
  readonly trace?: TraceCall
  /** Hears of faults of ours. */
  readonly onFault: (error: unknown, installation: string) => void
}

/** A connection that can be used. */
export interface ConnectedInstallation {
  readonly installation: Installation
  readonly adapter: Adapter
  readonly rail: Rail
  readonly circuit: Circuit
  /** How long an operator that is down is left alone. */
  readonly retryAfterMs: number
  /** What all addresses begin with at which its operator reports; undefined when it cannot reach us. */
  callbackBase(): string | undefined
  /** Nothing of it is shown from now on; what is under way goes on. */
  leave(): void
  /** Ends what still hangs: nobody knows its answer. */
  close(): Promise<void>
}

/** @throws SettingFault for settings that cannot be used together; Error when its certificate file cannot be read */
export function connectInstallation(
  kind: RailKind,
  installation: Installation,
  around: InstallationSurroundings,
): ConnectedInstallation {
  const { name, baseUrl, currency } = installation
  const settings = withDefaults(kind, installation.settings)
  const concurrency = number(settings, 'concurrency')
  const retryAfterMs = number(settings, 'retry_after_ms')
  const circuit = createCircuit(around.clock, {
    failuresInARow: number(settings, 'failures_until_open'),
    openMs: retryAfterMs,
  })
  const trusted = certificates(settings)
  const watched = around.watch(name, () => circuit.state().state)
  const onDrift = driftCounting(name, watched, around.drifts)
  const exchange = createExchange({
    installation: { name, baseUrl, secrets: secretsOf(kind, settings), ...trusted },
    contract: operatorContract(kind.name),
    policy: policyFor(around.policy, settings),
    ...given(around),
    limits: { concurrency, perSecond: perSecond(settings) },
    times: times(settings),
    circuit,
    record: around.record,
    told: watched.told,
    onDrift,
    clock: around.clock,
    timers: around.timers,
  })
  const reachedAt = (): string | undefined => settings['callback_base_url'] ?? around.publicUrl()
  const adapter = orElse(watched.end, () =>
    kind.connect(
      { ...settings, base_url: baseUrl, currency },
      {
        clock: around.clock,
        random: around.random,
        currency,
        fetchFor: exchange.fetchFor,
        onDrift,
        callbackUrl(orderId, tail) {
          const base = reachedAt()
          return base && `${base}${operatorCallbackPath(name, installation.callbackToken, orderId, tail)}`
        },
      },
    ),
  )
  const onFault = (error: unknown): void => around.onFault(error, name)
  return {
    installation,
    adapter,
    circuit,
    retryAfterMs,
    // The token is left out: this is shown to people.
    callbackBase: () => {
      const base = reachedAt()
      return base && `${base}${operatorCallbackPath(name, '…', '…')}`
    },
    rail: createInstalledRail({ adapter, circuit, timers: around.timers, onFault, concurrency }),
    leave: watched.end,
    close: () => exchange.close(),
  }
}

/** In the metrics of this process, and for `rail check`. */
const driftCounting =
  (installation: string, watched: WatchedInstallation, drifts?: DriftRecord): Required<RailWorld>['onDrift'] =>
  (source, drift) => {
    for (const { field, shape } of drift) {
      watched.drifted({ source, field, shape })
      drifts?.add({ installation, source, field, shape })
    }
  }

const given = ({ dispatcher, trace }: InstallationSurroundings) => ({
  ...(dispatcher && { dispatcher }),
  ...(trace && { trace }),
})

/** Its owner may have said that it is reached through a VPN. */
export const policyFor = (policy: OutboundPolicy, { private_network: isPrivate }: SettingValues): OutboundPolicy =>
  isPrivate === 'yes' ? { ...policy, allowPrivateNetworks: true } : policy

/** What is shown of a connection goes when it cannot be made. */
function orElse<Value>(undo: () => void, make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    undo()
    throw error
  }
}

/** What has a default is always there. */
const number = (settings: SettingValues, name: string): number => Number(settings[name])

function perSecond(settings: SettingValues) {
  const each = number(settings, 'requests_per_second')
  return { submit: each, ask: each, statement: each, token: each }
}

function times(settings: SettingValues) {
  const totalMs = number(settings, 'timeout_ms')
  return { totalMs, headersMs: totalMs, connectMs: Math.min(totalMs, 5_000) }
}

/** The values of an installation's secret settings: nobody may see them. */
export const secretsOf = (kind: RailKind, settings: SettingValues): readonly string[] =>
  Object.entries(settingsOf(kind)).flatMap(([name, { secret }]) => (secret ? (settings[name] ?? []) : []))

const certificates = ({ ca_file: path }: SettingValues): { ca?: string } =>
  path === undefined ? {} : { ca: readFileSync(path, 'utf8') }
