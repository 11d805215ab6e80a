import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { contractOf } from '../../rails/operator-contract.ts'
import { createProbeWatch, playProbes, type ProbeRow, type ProbeWatch } from '../../rails/probe.ts'
import type { RailKind } from '../../rails/rail-kind.ts'
import { secretsOf } from '../../start/connect-rail-account.ts'
import { accountInOrders } from '../operations/rail-desk.ts'
import { railAccountNamed } from '../operations/rail-account-named.ts'
import { withDatabase, type Context } from './database.ts'
import { CliError, FAILED, usedWrongly } from './errors.ts'
import { note, print, printJson, printTable } from './output.ts'
import { queriedHere } from './rail-connected.ts'
import { isConfirmed, isSomebodyThere } from './staff-action.ts'

interface ProbeOptions {
  readonly account?: string
  readonly transcript?: string
  readonly yes?: true
  readonly json?: true
}

const OUTCOMES = ['held', 'broke', 'new', 'unknown', 'left_out'] as const

/** `rail probe`: asks an operator what its documents say, and compares. Moves nothing in production. */
export async function probe(name: string, options: ProbeOptions): Promise<void> {
  if (options.transcript !== undefined && existsSync(options.transcript))
    throw usedWrongly(
      `malipo: ${options.transcript} is there already: name another file for the transcript. Nothing was asked.`,
    )
  const { rows, watch, kind, host, secrets, now } = await withDatabase((context) => probed(context, name, options))
  const counts = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, rows.filter((row) => row.outcome === outcome).length]),
  )
  const file = options.transcript ?? `probe-${name}-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.txt`
  const heading = `${kind.title}, connection ${name}, at ${host}, ${now.toISOString()}`
  await writeTranscript(file, transcriptOf(heading, rows, watch), secrets)
  if (options.json)
    printJson({ rail_account: name, kind: kind.name, ...counts, calls: watch.exchanges.length, rows, transcript: file })
  else {
    printTable(
      rows,
      [
        { title: 'asked for', of: ({ what }) => what, cut: true },
        { title: 'http', of: ({ status }) => status, align: 'right' },
        { title: 'outcome', of: ({ outcome }) => outcome.replace('_', ' ') },
        { title: 'expected', of: ({ expected }) => expected, cut: true },
        { title: 'found', of: ({ found }) => found, cut: true },
      ],
      'nothing was asked',
    )
    const summary = OUTCOMES.filter((outcome) => counts[outcome]).map(
      (each) => `${counts[each]} ${each.replace('_', ' ')}`,
    )
    print(`\n${watch.exchanges.length} calls: ${summary.join(', ')}. Transcript, masked: ${file}`)
  }
  if (counts['broke']) process.exitCode = FAILED
}

async function probed(context: Context, name: string, options: ProbeOptions) {
  const installed = await railAccountNamed(context, name)
  const { kind } = installed
  const account =
    options.account === undefined ? {} : { account: await accountInOrders(context, name, options.account) }
  const watch = createProbeWatch()
  const lost: unknown[] = []
  const reported = await queriedHere(
    context,
    installed,
    async ({ adapter, railAccount }) => {
      const { hostname, host, pathname } = new URL(railAccount.baseUrl)
      const list = adapter.probes?.(account)
      if (!list) throw usedWrongly(`malipo: ${kind.title} has no list of calls to probe it with.`)
      const isSandbox = kind.sandboxHosts?.includes(hostname) === true || LOOPBACK.has(hostname)
      const payments = list.probes.filter(({ isSandboxOnly }) => isSandboxOnly).length
      const rows = await playProbes({
        list,
        contract: contractOf(kind),
        basePath: pathname.replace(/\/$/, ''),
        watch,
        paysTestNumbers: isSandbox && payments > 0 && (await mayPay(kind, payments, options)),
      })
      return { rows, host, secrets: [...secretsOf(kind, railAccount.settings), ...Object.values(account)] }
    },
    (error) => lost.push(error),
    watch,
  )
  if (lost.length > 0) note('malipo: the exchanges could not be stored in the database.')
  return { ...reported, watch, kind, now: context.clock.now() }
}

/** Where a simulator listens. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Without somebody to ask, only `--yes` means yes. */
async function mayPay({ title }: RailKind, payments: number, { yes }: ProbeOptions): Promise<boolean> {
  if (yes) return true
  if (!isSomebodyThere(process.stdin, process.stderr)) return false
  note(`This is ${title}'s sandbox: ${payments} calls make payments of its own test numbers. They can be left out.`)
  return isConfirmed(process.stdin, process.stderr)
}

function transcriptOf(heading: string, rows: readonly ProbeRow[], { exchanges }: ProbeWatch): string {
  const judged = rows.map(
    ({ outcome, what, expected, found }) => `${outcome}: ${what}: ${expected}${found ? `: ${found}` : ''}`,
  )
  const calls = exchanges.map(({ method, path, request, status, reply, error }) =>
    [`> ${method} ${path}`, request, `< ${status ?? 'no reply'}`, reply ?? '', error ?? ''].join('\n').trimEnd(),
  )
  return `${[heading, judged.join('\n'), ...calls].join('\n\n')}\n`
}

/** @throws CliError when a secret of the settings, or the account, is in it: nothing is written then */
async function writeTranscript(file: string, text: string, secrets: readonly string[]): Promise<void> {
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    JSON.stringify(secret).slice(1, -1),
  ])
  if (spellings.some((spelling) => spelling.length >= SECRET_CHARACTERS_MIN && text.includes(spelling)))
    throw new CliError(
      'malipo: the transcript would hold a secret of the settings or the account number: it was not written.',
    )
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw usedWrongly(`malipo: the transcript cannot be written to ${file}: ${error.code ?? 'it failed'}`)
  })
}

/** A shorter one occurs by chance, and none of them is sent as it is. */
const SECRET_CHARACTERS_MIN = 6
