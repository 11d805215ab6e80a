import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { ExchangeRecord } from '../../actions/ports/operator-exchanges.ts'
import { SIMULATED_REFUNDS } from '../../local/sandbox/simulator.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { NO_METRICS } from '../../metrics/metrics.ts'
import type { ProbeWatch } from '../../rails/probe.ts'
import type { RailKind } from '../../rails/rail-kind.ts'
import { createOperatorDrift } from '../../storage/operator-drift.ts'
import { createOperatorExchanges } from '../../storage/operator-exchanges.ts'
import { toRailAccount, type RailAccountRow } from '../../storage/rail-accounts.ts'
import { plannedUrl } from '../../start/addresses.ts'
import {
  connectionFault,
  connectRailAccount,
  faultOfConnecting,
  type ConnectedRailAccount,
  type RailAccountSurroundings,
} from '../../start/connect-rail-account.ts'
import { systemTimers } from '../../start/timers.ts'
import type { OperationContext } from '../operations/operation.ts'
import { statementLines, type OperatorAccess } from '../operations/operator-access.ts'
import { railAccountNamed } from '../operations/rail-account-named.ts'
import { usedWrongly } from './errors.ts'

type ConnectingContext = Pick<OperationContext, 'pool' | 'clock' | 'secretBox'> & { readonly config: Config }

/** What a server with this shell's settings would connect a rail account with. */
const aroundOf = ({ config, clock }: ConnectingContext, record: ExchangeRecord): RailAccountSurroundings => ({
  clock,
  random: { bytes: (size) => randomBytes(size) },
  timers: systemTimers,
  policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY,
  publicUrl: () => reachedAt(config),
  record,
  watch: NO_METRICS.watchRailAccount,
  onFault: () => undefined,
})

/** What operations reach of operators from the command line. */
export const operatorsFrom = (context: ConnectingContext): OperatorAccess => ({
  faultOf(kind, railAccount) {
    const record = createOperatorExchanges(context.pool, () => undefined)
    return faultOfConnecting(kind, railAccount, aroundOf(context, record))
  },
  async refundTraits({ railAccount }) {
    if (railAccount === undefined) return context.config.mode === 'sandbox' ? SIMULATED_REFUNDS : undefined
    const named = await railAccountNamed(context, railAccount)
    return queriedHere(context, named, async ({ adapter }) => adapter.traitsOf('COLLECTION').refund)
  },
  statement: (named, from, until) => queriedHere(context, named, ({ adapter }) => statementLines(adapter, from, until)),
})

/** @throws CliError for settings that cannot be used */
function orRefused(name: string, connect: () => ConnectedRailAccount): ConnectedRailAccount {
  try {
    return connect()
  } catch (error) {
    const fault = connectionFault(error)
    throw fault === undefined ? error : usedWrongly(`malipo: the settings of ${name} cannot be used: ${fault}`)
  }
}

/** Queries an operator from the command line; the exchange is recorded as a server records it. */
export async function queriedHere<Result>(
  context: ConnectingContext,
  { railAccount, kind }: { readonly railAccount: RailAccountRow; readonly kind: RailKind },
  query: (connected: ConnectedRailAccount) => Promise<Result>,
  onLost: (error: unknown) => void = () => undefined,
  watch?: Pick<ProbeWatch, 'record' | 'drifts'>,
): Promise<Result> {
  const record = createOperatorExchanges(context.pool, onLost)
  const drifts = createOperatorDrift(context.pool, context.clock, onLost)
  const opened = toRailAccount(await context.secretBox(), railAccount)
  const connected = orRefused(railAccount.name, () =>
    connectRailAccount(kind, opened, {
      ...aroundOf(context, watch ? inBoth(record, watch.record) : record),
      drifts: watch ? inBoth(drifts, watch.drifts) : drifts,
    }),
  )
  try {
    return await query(connected)
  } finally {
    await Promise.all([record.flushed(), drifts.flushed()])
    await connected.close()
  }
}

interface Recorder<Item> {
  add(item: Item): void
}

const inBoth = <Item>(one: Recorder<Item>, other: Recorder<Item>): Recorder<Item> => ({
  add(item) {
    one.add(item)
    other.add(item)
  },
})

/**
 * Without PUBLIC_BASE_URL a server uses the address that it listens on, except in live mode, where it does not start.
 */
const reachedAt = (config: Config): string | undefined =>
  config.publicBaseUrl ?? (config.mode === 'live' || config.port === 0 ? undefined : plannedUrl(config))
