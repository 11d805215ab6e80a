import { accountInOrders } from '../operations/rail-desk.ts'
import { listDrift, type DriftView } from '../queries/drift.ts'
import { lacksOf, type MissingPart } from '../../start/rail-account-states.ts'
import { factAges, type FactAges } from '../../rails/fact-ages.ts'
import { packageOf } from '../../rails/registry.ts'
import type { CheckRow } from '../../rails/rail-kind.ts'
import { withDatabase, type Context } from './database.ts'
import { FAILED } from './errors.ts'
import { print, printJson, printable } from './output.ts'
import { queriedHere } from './rail-connected.ts'
import { originText } from './rail-show.ts'
import { lackText } from './rail-directions.ts'
import { railAccountNamed } from '../operations/rail-account-named.ts'

/** `rail check`: tests our credentials, and an account, at the operator. Moves nothing. */
export async function check(name: string, { account, json }: { account?: string; json?: true }): Promise<void> {
  const { kind, rows, callbackUrl, isPlanned, title, drift, facts } = await withDatabase((context) =>
    checked(context, name, account),
  )
  const ok = rows.every((row) => row.ok)
  if (json)
    printJson({
      rail_account: name,
      ok,
      package: packageOf(kind),
      checks: rows,
      callback_url: callbackUrl,
      drift,
      facts,
    })
  else {
    for (const row of rows) print(`${row.ok ? 'ok    ' : 'FAILED'}  ${row.what}: ${printable(row.detail)}`)
    if (packageOf(kind)) print(`\nThe rail ${kind} is a package: ${originText(kind)}`)
    for (const line of driftLines(title, drift)) print(line)
    if (facts.old > 0) print(`\n${factLine(title, facts, packageOf(kind) ? 'its contract' : 'its page of the docs')}`)
    print(`\n${reportingPlace(callbackUrl, isPlanned)}`)
  }
  if (!ok) process.exitCode = FAILED
}

/** Not a failure: these fields decide nothing, so the rail accepts any shape. */
const driftLines = (title: string, drift: readonly DriftView[]): readonly string[] =>
  drift.length === 0
    ? []
    : [`\nWhat ${title} sends differs from its contract here, and is read all the same:`, ...drift.map(driftLine)]

function driftLine({ source, field, shape, count, first_seen_at: since }: DriftView): string {
  // `is missing`, `has none of …`; other shapes describe the value found.
  const differs = /^(is|has) /.test(shape) ? shape : `is ${shape}`
  const often = count === 1 ? 'once, at' : `${count} times since`
  return `  ${source}: ${field} ${differs}, ${often} ${since.toISOString()}`
}

/** Not a failure: an operator rarely changes, and says so nowhere when it does. */
const factLine = (title: string, { all, old, oldest }: FactAges, place: string): string =>
  `${old} of the ${all} facts about ${title} that this rail relies on were last observed more than six months ago, the oldest on ${oldest}: ${place} has them.`

function reportingPlace(callbackUrl: string | undefined, isPlanned: boolean): string {
  if (callbackUrl === undefined)
    return 'Where it reports is not known here: set PUBLIC_BASE_URL as the servers have it, or the setting callback_base_url.'
  if (!isPlanned) return `It reports at ${callbackUrl}`
  return `It reports at ${callbackUrl}\nThat is where a server with this shell's HOST and PORT listens: an operator on another machine needs PUBLIC_BASE_URL, or the setting callback_base_url.`
}

async function checked(context: Context, name: string, account: string | undefined) {
  const installed = await railAccountNamed(context, name)
  const lost: unknown[] = []
  const probe = account === undefined ? {} : { account: await accountInOrders(context, name, account) }
  const reported = await queriedHere(
    context,
    installed,
    async (connected) => ({
      rows: [
        ...(await connected.adapter.check(probe)),
        ...lacksOf(installed.kind, connected.railAccount.settings, installed.kind.types).map(rowOf),
      ],
      callbackUrl: connected.callbackBase(),
      isPlanned:
        context.config.publicBaseUrl === undefined && connected.railAccount.settings['callback_base_url'] === undefined,
    }),
    (error) => lost.push(error),
  )
  const { name: kind, title } = installed.kind
  const facts = factAges(installed.kind, context.clock.now())
  const drift = await listDrift(context.pool, name)
  return { ...reported, kind, title, drift, facts, rows: lost.length > 0 ? [...reported.rows, LOST] : reported.rows }
}

/** Not a failure: it may be intentional. */
const rowOf = (lack: MissingPart): CheckRow => ({ what: 'not set up', ok: true, detail: lackText(lack) })

const LOST: CheckRow = { what: 'record', ok: false, detail: 'the exchange could not be stored in the database' }
