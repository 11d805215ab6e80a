import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { RailAccount } from '../../domain/rail-account.ts'
import type { DriftRecord, ExchangeRecord } from '../../actions/ports/operator-exchanges.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { NO_METRICS } from '../../metrics/metrics.ts'
import { SettingFault, type RailKind } from '../../rails/rail-kind.ts'
import { createOperatorDrift } from '../../storage/operator-drift.ts'
import { createOperatorExchanges } from '../../storage/operator-exchanges.ts'
import { toRailAccount, type RailAccountRow } from '../../storage/rail-accounts.ts'
import { plannedUrl } from '../../start/addresses.ts'
import { connectRailAccount, type ConnectedRailAccount } from '../../start/connect-rail-account.ts'
import { systemTimers } from '../../start/timers.ts'
import { openSecretBox, type Context } from './database.ts'
import { usedWrongly } from './errors.ts'

/**
 * Connects a rail account as a server with this shell's settings would. Connecting sends no request.
 * @throws CliError for settings that cannot be used, alone or together
 */
function connectHere(
  { config, clock }: Context,
  kind: RailKind,
  railAccount: RailAccount,
  record: ExchangeRecord,
  drifts?: DriftRecord,
): ConnectedRailAccount {
  try {
    return connectRailAccount(kind, railAccount, {
      clock,
      random: { bytes: (size) => randomBytes(size) },
      timers: systemTimers,
      policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY,
      publicUrl: () => reachedAt(config),
      record,
      ...(drifts && { drifts }),
      watch: NO_METRICS.watchRailAccount,
      onFault: () => undefined,
    })
  } catch (error) {
    if (error instanceof SettingFault)
      throw usedWrongly(`malipo: the settings of ${railAccount.name} cannot be used: ${error.message}`)
    if (isFileError(error))
      throw usedWrongly(`malipo: the ca_file of ${railAccount.name} cannot be read (${error.code})`)
    throw error
  }
}

/**
 * Fails now rather than at the first order.
 * @throws CliError for settings that a server could not connect with
 */
export const checkTogether = (context: Context, kind: RailKind, railAccount: RailAccount): Promise<void> =>
  connectHere(
    context,
    kind,
    railAccount,
    createOperatorExchanges(context.pool, () => undefined),
  ).close()

/** Queries an operator from the command line; the exchange is recorded as a server records it. */
export async function queriedHere<Result>(
  context: Context,
  { railAccount, kind }: { readonly railAccount: RailAccountRow; readonly kind: RailKind },
  query: (connected: ConnectedRailAccount) => Promise<Result>,
  onLost: (error: unknown) => void = () => undefined,
): Promise<Result> {
  const record = createOperatorExchanges(context.pool, onLost)
  const drifts = createOperatorDrift(context.pool, context.clock, onLost)
  const opened = toRailAccount(await openSecretBox(context), railAccount)
  const connected = connectHere(context, kind, opened, record, drifts)
  try {
    return await query(connected)
  } finally {
    await Promise.all([record.flushed(), drifts.flushed()])
    await connected.close()
  }
}

/**
 * Without PUBLIC_BASE_URL a server uses the address that it listens on, except in live mode, where it does not start.
 */
const reachedAt = (config: Config): string | undefined =>
  config.publicBaseUrl ?? (config.mode === 'live' || config.port === 0 ? undefined : plannedUrl(config))

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error
