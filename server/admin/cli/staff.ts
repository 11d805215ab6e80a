import type { Command } from 'commander'
import { listStaffActions, type StoredAction } from '../queries/staff-actions.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit } from './command.ts'
import { withDatabase } from './database.ts'
import { note, print, printable, printJson, shortTime } from './output.ts'
import { firstPage, parseId } from './pages.ts'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} staff actions`)
  addLeaf(
    group,
    'actions',
    'list what staff changed by commands, the newest first: who, why, old and new values',
    `${MALIPO} staff actions --limit 20`,
    `${MALIPO} staff actions --subject mtn_ug`,
  )
    .option(
      '--subject <name>',
      "only of this merchant's public key, provider, rail account, currencies, transaction or month",
    )
    .option('--after <place>', 'the next page: the end that the previous page printed')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 50)
    .action(actions)
}

interface ActionsOptions {
  readonly subject?: string
  readonly after?: string
  readonly limit: number
  readonly json?: true
}

async function actions({ subject, after, limit, json }: ActionsOptions): Promise<void> {
  const filter = { ...(subject !== undefined && { subject }), ...(after !== undefined && { before: parseId(after) }) }
  const found = await withDatabase(({ pool }) => listStaffActions(pool, { ...filter, limit: limit + 1 }))
  const page = firstPage(found, limit, ({ id }) => String(id))
  if (json) printJson(page.map(({ osUser, ...action }) => ({ ...action, os_user: osUser })))
  else for (const action of page) print(textOf(action))
  if (page.length === 0) note(subject === undefined ? 'No change.' : `No change of ${subject}.`)
}

function textOf({ at, osUser, command, subject, reason, reference, old, new: changed }: StoredAction): string {
  const names = [...new Set([...Object.keys(old), ...Object.keys(changed)])]
  return [
    `${shortTime(at)}  ${printable(osUser)}  ${command} ${printable(subject)}`,
    `  ${reason === undefined ? 'no reason given' : `because ${printable(reason)}`}${reference === undefined ? '' : ` (reference ${printable(reference)})`}`,
    ...names.map((name) => `  ${name}: ${printable(old[name] ?? '(none)')} -> ${printable(changed[name] ?? '(none)')}`),
  ].join('\n')
}
