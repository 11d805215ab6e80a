import { randomBytes } from 'node:crypto'
import { NO_METRICS } from '../metrics/metrics.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { SettingFault, type Adapter, type RailKind } from '../rails/rail-kind.ts'
import { connectInstallation } from '../start/connect-installation.ts'
import { createOperatorExchanges } from '../storage/operator-exchanges.ts'
import type { InstallationView } from '../storage/operators/rail-installations.ts'
import { toInstallation } from '../storage/rail-installations.ts'
import { systemTimers } from '../work/timers.ts'
import { openSecretBox, type Context } from './database.ts'
import { CliError } from './errors.ts'

/**
 * Asks an operator something at the command line; what is said is kept as a server keeps it.
 * @throws CliError for settings that cannot be used together
 */
export async function connected<Result>(
  context: Context,
  { installation, kind }: { readonly installation: InstallationView; readonly kind: RailKind },
  ask: (adapter: Adapter) => Promise<Result>,
): Promise<Result> {
  const { config, pool, clock } = context
  const record = createOperatorExchanges(pool, () => undefined)
  const connection = open(await openSecretBox(context))
  try {
    return await ask(connection.adapter)
  } finally {
    await record.flushed()
    await connection.close()
  }

  function open(box: Awaited<ReturnType<typeof openSecretBox>>) {
    try {
      return connectInstallation(kind, toInstallation(box, installation), {
        clock,
        random: { bytes: (size) => randomBytes(size) },
        timers: systemTimers,
        policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY,
        publicUrl: () => config.publicBaseUrl,
        record,
        watch: NO_METRICS.watchInstallation,
        onFault: () => undefined,
      })
    } catch (error) {
      if (error instanceof SettingFault)
        throw new CliError(`malipo: ${installation.name} cannot be used: ${error.message}`)
      throw error
    }
  }
}
