import { InvalidArgumentError, type Command } from 'commander'
import { KEPT_MONTHS } from '../queries/archive/archive-month.ts'
import { run } from './archive-run.ts'
import { check } from './archive-check.ts'
import { show } from './archive-show.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, describeLeaf } from './command.ts'
import { asRecordedAction } from './staff-action.ts'

const FOLDER = 'where the archive is; without it the folder archive in MALIPO_DATA_DIR'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} archive 2025-09`, `${MALIPO} archive show ORDER-2025-0001`)
  asRecordedAction(
    describeLeaf(
      group
        .command('run', { isDefault: true })
        .description(
          `move a month that ended ${KEPT_MONTHS} months ago or earlier into files, and delete it from the database; balances stay`,
        ),
      `${MALIPO} archive 2025-09`,
      `${MALIPO} archive 2025-09 --to /srv/malipo-archive --json`,
    ),
  )
    .argument('<month>', 'like 2025-09, in UTC: when its payments were accepted', parseMonth)
    .option('--to <folder>', FOLDER)
    .action(run)
  addLeaf(
    group,
    'show',
    'show a payment from the files, with its history, entries and callbacks; no database is needed',
    `${MALIPO} archive show ORDER-2025-0001`,
    `${MALIPO} archive show MLP2X1A7KQ4M8Z0V5T9C3R6B1D --from /srv/malipo-archive --json`,
  )
    .argument('<reference>', "the merchant's or the internal reference")
    .option('--from <folder>', FOLDER)
    .action(show)
  addLeaf(
    group,
    'check',
    'compare the files of an archived month with their manifest and the hash chain in the database',
    `${MALIPO} archive check 2025-09`,
    `${MALIPO} archive check 2025-09 --from /srv/malipo-archive --json`,
  )
    .argument('<month>', 'like 2025-09', parseMonth)
    .option('--from <folder>', FOLDER)
    .action(check)
}

function parseMonth(text: string): string {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month like 2025-09.')
  return text
}
