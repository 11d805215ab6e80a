import { readFileSync } from 'node:fs'
import type { Clock } from '../actions/ports/clock.ts'
import type { DriftRecord, ExchangeRecord } from '../actions/ports/operator-exchanges.ts'
import type { Rail } from '../actions/ports/rail.ts'
import type { TraceCall } from '../actions/ports/tracing.ts'
import { ACCOUNT_ADDRESS, orderToken } from '../domain/callback-tokens.ts'
import type { PayoutTerms } from '../domain/payout-waits.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import type { Random } from '../domain/references.ts'
import { operatorCallbackPath } from '../http/operator-callbacks.ts'
import { NO_METRICS } from '../metrics/metrics.ts'
import type { OperatorCallMetrics, WatchedRailAccount } from '../metrics/operator-calls.ts'
import type { OutboundPolicy } from '../outbound/outbound-guard.ts'
import { createCircuit, type Circuit, type CircuitState } from '../rails/circuit.ts'
import { createExchange, type Exchange, type ExchangeOptions } from '../rails/exchange/exchange.ts'
import type { CallDispatcher } from '../rails/exchange/one-call.ts'
import { failureCodesOf } from '../rails/failure-codes.ts'
import { createInstalledRail } from '../rails/installed-rail.ts'
import { contractOf } from '../rails/operator-contract.ts'
import {
  SettingFault,
  type Adapter,
  type RailKind,
  type RailWorld,
  type SettingValues,
  type SharedTokens,
} from '../rails/rail-kind.ts'
import { settingsOf, withDefaults } from '../rails/settings.ts'
import type { Timers } from '../actions/ports/timers.ts'

/** The dependencies of every rail account's connection. */
export interface RailAccountSurroundings {
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly policy: OutboundPolicy
  /** Replaces guarded connections where there is no network. */
  readonly dispatcher?: CallDispatcher
  /** The address at which operators reach this gateway; undefined when it is unknown. */
  readonly publicUrl: () => string | undefined
  readonly record: ExchangeRecord
  /** Absent: deviations from an operator's contract are counted in the metrics only. */
  readonly drifts?: DriftRecord
  /** Counts its calls, and reports its circuit breaker. */
  readonly watch: OperatorCallMetrics['watchRailAccount']
  /** Absent: its calls are not traced. */
  readonly trace?: TraceCall
  /** Absent: this process is the only one. */
  readonly sharedTokens?: (railAccount: RailAccount) => SharedTokens
  /** Called for internal errors. */
  readonly onFault: (error: unknown, railAccount: string) => void
}

/** A working connection to a rail account. */
export interface ConnectedRailAccount {
  readonly railAccount: RailAccount
  readonly adapter: Adapter
  readonly rail: Rail
  readonly circuit: Circuit
  /** How long an operator that is down is not called. */
  readonly retryAfterMs: number
  /** @param downSince since when it has not answered, as any process has found */
  payoutTerms(downSince: Date | undefined): PayoutTerms
  /** The prefix of all callback addresses of its operator; undefined when the operator cannot reach us. */
  callbackBase(): string | undefined
  /** Removes its metrics; running calls continue. */
  retire(): void
  /** Aborts calls that still hang: their outcome is unknown. */
  close(): Promise<void>
}

/** @throws SettingFault for conflicting settings; Error when its certificate file cannot be read */
export function connectRailAccount(
  kind: RailKind,
  railAccount: RailAccount,
  around: RailAccountSurroundings,
): ConnectedRailAccount {
  const { name, baseUrl, currency } = railAccount
  const settings = withDefaults(kind, railAccount.settings)
  const concurrency = number(settings, 'concurrency')
  const retryAfterMs = number(settings, 'retry_after_ms')
  const circuit = createCircuit(around.clock, {
    failuresInARow: number(settings, 'failures_until_open'),
    openMs: retryAfterMs,
  })
  const watched = around.watch(name, () => circuit.state().state)
  const onDrift = driftCounting(name, watched, around.drifts)
  const exchange = orElse(watched.end, () =>
    openExchange(kind, railAccount, settings, circuit, { onExchange: watched.exchanged, onDrift }, around),
  )
  const reachedAt = (): string | undefined => settings['callback_base_url'] ?? around.publicUrl()
  const addressParts = (): AddressParts => ({ kind, railAccount, base: reachedAt(), now: around.clock.now() })
  const adapter = orElse(watched.end, () =>
    kind.connect(
      { ...settings, base_url: baseUrl, currency },
      {
        clock: around.clock,
        random: around.random,
        currency,
        contract: contractOf(kind),
        fetchFor: exchange.fetchFor,
        onDrift,
        callbackUrl: (orderId, tail) => addressOf(addressParts(), kind.callbackTails, orderId, tail),
        accountUrl: (tail) => addressOf(addressParts(), kind.accountTails ?? [], ACCOUNT_ADDRESS, tail),
        failureCodes: failureCodesOf(settings['failure_codes']),
        ...(around.sharedTokens && { sharedTokens: around.sharedTokens(railAccount) }),
      },
    ),
  )
  const waitMs = number(settings, 'payout_wait_minutes') * 60_000
  const waiting = { railAccount: name, waitMs, hasFloat: waitMs > 0 && kind.hasFloat === true }
  const onFault = (error: unknown): void => around.onFault(error, name)
  return {
    railAccount,
    adapter,
    circuit,
    retryAfterMs,
    payoutTerms: (downSince) => ({ ...waiting, operator: operatorAsSeen(circuit.state(), downSince) }),
    // The token is omitted: people see this address.
    callbackBase: () => {
      const base = reachedAt()
      return base && `${base}${operatorCallbackPath(name, '…', '…')}`
    },
    rail: createInstalledRail({ adapter, circuit, timers: around.timers, onFault, concurrency }),
    retire: watched.end,
    close: () => exchange.close(),
  }
}

/** Why a rail account cannot be connected, for its owner; undefined for a fault of ours. */
export function connectionFault(error: unknown): string | undefined {
  if (error instanceof SettingFault) return error.message
  const isOfFile = error instanceof Error && 'syscall' in error && 'code' in error
  return isOfFile ? `its ca_file cannot be read (${String(error.code)})` : undefined
}

/** Connects only to find out whether it can be. @returns why it cannot, for its owner */
export async function faultOfConnecting(
  kind: RailKind,
  railAccount: RailAccount,
  around: RailAccountSurroundings,
): Promise<string | undefined> {
  try {
    await connectRailAccount(kind, railAccount, { ...around, watch: NO_METRICS.watchRailAccount }).close()
    return undefined
  } catch (error) {
    const fault = connectionFault(error)
    if (fault === undefined) throw error
    return fault
  }
}

/**
 * What this process has found out counts, and what others have found where its own is older. A circuit that is half
 * open lets one call through.
 */
function operatorAsSeen({ state, since }: CircuitState, downSince: Date | undefined): PayoutTerms['operator'] {
  if (state === 'open') return 'away'
  if (state === 'half_open') return 'trying'
  return downSince && downSince > since ? 'away' : 'there'
}

interface AddressParts {
  readonly kind: RailKind
  readonly railAccount: RailAccount
  readonly base: string | undefined
  readonly now: Date
}

/** @throws Error for a tail that the rail does not support */
function addressOf(
  { kind, railAccount, base, now }: AddressParts,
  tails: readonly string[],
  orderId: string,
  tail?: string,
): string | undefined {
  const { name, callbackKeys } = railAccount
  if (!tails.includes(tail ?? '')) throw new Error(`${kind.name} takes no message at ${tail ?? 'no word'}`)
  const token = orderToken(callbackKeys, { railAccount: name, orderId: orderId.toLowerCase() }, now)
  return base && token && `${base}${operatorCallbackPath(name, token, orderId, tail)}`
}

/** All calls of the rail account, with its limits and timeouts. */
const openExchange = (
  kind: RailKind,
  { name, baseUrl }: RailAccount,
  settings: SettingValues,
  circuit: Circuit,
  receives: Pick<ExchangeOptions, 'onExchange' | 'onDrift'>,
  around: RailAccountSurroundings,
): Exchange =>
  createExchange({
    railAccount: { name, baseUrl, secrets: secretsOf(kind, settings), ...certificates(settings) },
    contract: contractOf(kind),
    policy: policyFor(around.policy, settings),
    ...given(around),
    limits: { concurrency: number(settings, 'concurrency'), perSecond: perSecond(settings) },
    times: times(settings),
    circuit,
    record: around.record,
    ...receives,
    clock: around.clock,
    timers: around.timers,
  })

/** Counts deviations in the metrics of this process, and for `rail check`. */
const driftCounting =
  (railAccount: string, watched: WatchedRailAccount, drifts?: DriftRecord): Required<RailWorld>['onDrift'] =>
  (source, drift) => {
    for (const { field, shape } of drift) {
      watched.drifted({ source, field, shape })
      drifts?.add({ railAccount, source, field, shape })
    }
  }

const given = ({ dispatcher, trace }: RailAccountSurroundings) => ({
  ...(dispatcher && { dispatcher }),
  ...(trace && { trace }),
})

/** The settings may allow private addresses, for an operator that is reached through a VPN. */
export const policyFor = (policy: OutboundPolicy, { private_network: isPrivate }: SettingValues): OutboundPolicy =>
  isPrivate === 'yes' ? { ...policy, allowPrivateNetworks: true } : policy

/** Removes the metrics of a connection that cannot be created. */
function orElse<Value>(undo: () => void, make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    undo()
    throw error
  }
}

/** A setting with a default is always present. */
const number = (settings: SettingValues, name: string): number => Number(settings[name])

function perSecond(settings: SettingValues) {
  const each = number(settings, 'requests_per_second')
  const queries = Math.min(each, number(settings, 'queries_per_second'))
  return { submit: each, ask: queries, statement: each, token: each, check: queries }
}

function times(settings: SettingValues) {
  const totalMs = number(settings, 'timeout_ms')
  return { totalMs, headersMs: totalMs, connectMs: Math.min(totalMs, 5_000) }
}

/** The values of a rail account's secret settings: nobody may see them. */
export const secretsOf = (kind: RailKind, settings: SettingValues): readonly string[] =>
  Object.entries(settingsOf(kind)).flatMap(([name, { secret }]) => (secret ? (settings[name] ?? []) : []))

const certificates = ({ ca_file: path }: SettingValues): { ca?: string } =>
  path === undefined ? {} : { ca: readFileSync(path, 'utf8') }
