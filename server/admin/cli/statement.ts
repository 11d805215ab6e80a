import type { Command } from 'commander'
import { listImports } from '../queries/statements/import.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit, parseSince } from './command.ts'
import { withDatabase } from './database.ts'
import { printJson, printTable, shortTime } from './output.ts'
import { addRecordedAction } from './staff-action.ts'
import { importFile } from './statement-import.ts'
import { pull } from './statement-pull.ts'

const RAIL_ACCOUNT = `the connection to the operator, by its name: ${MALIPO} rail list`

export function define(group: Command): void {
  addExamples(group, `${MALIPO} statement import mtn-uganda november-22.csv`)
  addRecordedAction(
    group,
    'import',
    "read an operator's statement (CSV or camt.053), all of it or nothing; a repeated import changes nothing",
    `${MALIPO} statement import mtn-uganda november-22.csv`,
    `gunzip -c statement.xml.gz | ${MALIPO} statement import bank-kenya -`,
  )
    .argument('<rail-account>', RAIL_ACCOUNT)
    .argument('<file>', 'the file; - is standard input')
    .option('--skip-unreadable', 'import the rest of a file of which some lines cannot be read')
    .action(importFile)
  addRecordedAction(
    group,
    'pull',
    'pull the statement from the operator, where its API offers one',
    `${MALIPO} statement pull mobile-kenya --since 24h`,
  )
    .argument('<rail-account>', RAIL_ACCOUNT)
    .requiredOption('--since <time>', 'from then until now: 90s, 15m, 1h, 2d, or a moment in ISO 8601', parseSince)
    .action(pull)
  addLeaf(group, 'list', 'list what was imported, the newest first', `${MALIPO} statement list mtn-uganda`)
    .argument('[rail-account]', 'only of this connection')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 20)
    .action(list)
}

async function list(railAccount: string | undefined, { limit, json }: { limit: number; json?: true }): Promise<void> {
  const imports = await withDatabase(({ pool }) => listImports(pool, { railAccount, limit }))
  if (json) return printJson(imports)
  printTable(
    imports,
    [
      { title: 'IMPORT', of: ({ id }) => id, align: 'right' },
      { title: 'AT', of: ({ imported_at }) => shortTime(imported_at) },
      { title: 'RAIL ACCOUNT', of: (row) => row.rail_account },
      { title: 'FORM', of: ({ form }) => form },
      { title: 'LINES', of: ({ lines }) => lines, align: 'right' },
      { title: 'NEW', of: ({ new_lines }) => new_lines, align: 'right' },
      { title: 'PASSED OVER', of: ({ passed_over }) => passed_over, align: 'right' },
      { title: 'SKIPPED', of: ({ skipped }) => skipped, align: 'right' },
      { title: 'FROM', of: ({ first_at }) => first_at && shortTime(first_at) },
      { title: 'TO', of: ({ last_at }) => last_at && shortTime(last_at) },
      { title: 'FILE', of: ({ name }) => name, cut: true },
    ],
    `No statement was imported. Import one: ${MALIPO} statement import --help`,
  )
}
