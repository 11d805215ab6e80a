import { lacksOf, type Lack } from '../start/installation-states.ts'
import type { CheckRow } from '../rails/rail-kind.ts'
import { withDatabase, type Context } from './database.ts'
import { FAILED } from './errors.ts'
import { print, printJson, printable } from './output.ts'
import { askedHere } from './rail-connected.ts'
import { lackText } from './rail-directions.ts'
import { installationNamed } from './rail-named.ts'

/** `rail check`: what the operator says to our credentials, and to an account. Nothing is moved. */
export async function check(name: string, { account, json }: { account?: string; json?: true }): Promise<void> {
  const { rows, callbackUrl, isPlanned } = await withDatabase((context) => checked(context, name, account))
  if (json) printJson({ installation: name, ok: rows.every(({ ok }) => ok), checks: rows, callback_url: callbackUrl })
  else {
    for (const { what, ok, detail } of rows) print(`${ok ? 'ok    ' : 'FAILED'}  ${what}: ${printable(detail)}`)
    print(`\n${reportingPlace(callbackUrl, isPlanned)}`)
  }
  if (!rows.every(({ ok }) => ok)) process.exitCode = FAILED
}

function reportingPlace(callbackUrl: string | undefined, isPlanned: boolean): string {
  if (callbackUrl === undefined)
    return 'Where it reports is not known here: set PUBLIC_BASE_URL as the servers have it, or the setting callback_base_url.'
  if (!isPlanned) return `It reports at ${callbackUrl}`
  return `It reports at ${callbackUrl}\nThat is where a server with this shell's HOST and PORT listens: an operator on another machine needs PUBLIC_BASE_URL, or the setting callback_base_url.`
}

async function checked(context: Context, name: string, account: string | undefined) {
  const installed = await installationNamed(context, name)
  const lost: unknown[] = []
  const told = await askedHere(
    context,
    installed,
    async (connected) => ({
      rows: [
        ...(await connected.adapter.check(account === undefined ? {} : { account })),
        ...lacksOf(installed.kind, connected.installation.settings, installed.kind.types).map(rowOf),
      ],
      callbackUrl: connected.callbackBase(),
      isPlanned:
        context.config.publicBaseUrl === undefined &&
        connected.installation.settings['callback_base_url'] === undefined,
    }),
    (error) => lost.push(error),
  )
  return lost.length > 0 ? { ...told, rows: [...told.rows, LOST] } : told
}

/** It may be meant, so that it is no fault. */
const rowOf = (lack: Lack): CheckRow => ({ what: 'not set up', ok: true, detail: lackText(lack) })

const LOST: CheckRow = { what: 'record', ok: false, detail: 'what was said could not be kept in the database' }
