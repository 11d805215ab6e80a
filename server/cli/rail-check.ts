import { randomBytes } from 'node:crypto'
import type { CheckRow } from '../rails/rail-kind.ts'
import { SettingFault } from '../rails/rail-kind.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { NO_METRICS } from '../metrics/metrics.ts'
import { connectInstallation } from '../start/connect-installation.ts'
import { createOperatorExchanges } from '../storage/operator-exchanges.ts'
import { toInstallation } from '../storage/rail-installations.ts'
import { systemTimers } from '../work/timers.ts'
import { openSecretBox, withDatabase, type Context } from './database.ts'
import { CliError, FAILED } from './errors.ts'
import { print, printJson, printable } from './output.ts'
import { installationNamed } from './rail-named.ts'

/** `rail check`: what the operator says to our credentials, and to an account. Nothing is moved. */
export async function check(name: string, { account, json }: { account?: string; json?: true }): Promise<void> {
  const { rows, callbackUrl } = await withDatabase((context) => checked(context, name, account))
  if (json) printJson({ installation: name, ok: rows.every(({ ok }) => ok), checks: rows, callback_url: callbackUrl })
  else {
    for (const { what, ok, detail } of rows) print(`${ok ? 'ok    ' : 'FAILED'}  ${what}: ${printable(detail)}`)
    print(`\nIt reports at ${callbackUrl ?? 'no address: set PUBLIC_BASE_URL, or the setting callback_base_url'}`)
  }
  if (!rows.every(({ ok }) => ok)) process.exitCode = FAILED
}

async function checked(context: Context, name: string, account: string | undefined) {
  const { config, pool, clock } = context
  const { installation, kind } = await installationNamed(context, name)
  const lost: unknown[] = []
  const record = createOperatorExchanges(pool, (error) => lost.push(error))
  let callbackUrl: string | undefined
  try {
    const connected = connectInstallation(kind, toInstallation(await openSecretBox(context), installation), {
      clock,
      random: { bytes: (size) => randomBytes(size) },
      timers: systemTimers,
      policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY,
      publicUrl: () => config.publicBaseUrl,
      record,
      watch: NO_METRICS.watchInstallation,
      onFault: () => undefined,
    })
    callbackUrl = connected.callbackBase()
    const rows = await connected.adapter.check(account === undefined ? {} : { account })
    await record.flushed()
    await connected.close()
    return { rows: lost.length > 0 ? [...rows, LOST] : rows, callbackUrl }
  } catch (error) {
    if (error instanceof SettingFault) throw new CliError(`malipo: ${name} cannot be used: ${error.message}`)
    throw error
  }
}

const LOST: CheckRow = { what: 'record', ok: false, detail: 'what was said could not be kept in the database' }
