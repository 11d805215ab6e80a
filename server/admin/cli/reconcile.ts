import { InvalidArgumentError, type Command } from 'commander'
import { EXCEPTION_KINDS } from '../../domain/reconciliation.ts'
import { MALIPO } from './called-as.ts'
import {
  addExamples,
  addLeaf,
  describeLeaf,
  LIMIT_MAX,
  parseLimit,
  parseOneOf,
  parseSince,
  parseText,
} from './command.ts'
import { claims } from './reconcile-claims.ts'
import { end } from './reconcile-end.ts'
import { assign, note, show } from './reconcile-follow.ts'
import { list } from './reconcile-list.ts'
import { run } from './reconcile-run.ts'
import { parseLine } from './staff-line.ts'
import { addRecordedAction, asRecordedAction, addStaffAction } from './staff-action.ts'

const EXCEPTION = `its number: ${MALIPO} reconcile list`
/** @throws InvalidArgumentError */
const parseNote = parseLine({ min: 3, max: 1_000 })

export function define(group: Command): void {
  addExamples(group, `${MALIPO} reconcile mtn-uganda`, `${MALIPO} reconcile list mtn-uganda`)
  asRecordedAction(
    describeLeaf(
      group
        .command('run', { isDefault: true })
        .description("compare an operator's statements with the ledger; differences wait on a suspense account"),
      `${MALIPO} reconcile`,
      `${MALIPO} reconcile mtn-uganda --until 2026-11-22T00:00:00Z --json`,
    ),
  )
    .argument('[rail-account]', `only of this connection: ${MALIPO} rail list`)
    .option(
      '--until <time>',
      'the statements are complete up to then; without it up to their last line: 24h ago, or a moment in ISO 8601',
      parseSince,
    )
    .action(run)
  addLeaf(
    group,
    'list',
    'list differences that nobody has explained yet, the oldest first',
    `${MALIPO} reconcile list mtn-uganda --kind missing_at_operator`,
  )
    .argument('[rail-account]', 'only of this connection')
    .option('--kind <kind>', `only ${EXCEPTION_KINDS.join(', ')}`, parseOneOf(EXCEPTION_KINDS))
    .option('--all', 'those that are ended too')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 100)
    .action(list)
  defineFollow(group)
  addStaffAction(
    group,
    'end',
    'end an exception with a reason, and move its money to where it belongs; no wallet changes',
    `${MALIPO} reconcile end 17 --reason "Top-up of our own, bank reference FT26324XK81" --move-to outside`,
    `${MALIPO} reconcile end 18 --reason "Their tariff of 1 November" --move-to fee`,
  )
    .argument('<exception>', EXCEPTION, parseId)
    .option(
      '--move-to <account>',
      'what waits on the suspense account goes to fee (it was, or saves, a cost) or outside (a top-up, a settlement, given back); without it, it stays there',
      parseOneOf(['fee', 'outside']),
    )
    .option(
      '--second-movement',
      'of maybe_repeated: money has moved twice; the line counts as a movement, and the next reconcile judges it',
    )
    .option('--by <name>', 'who decides; default: the user logged in here', parseText)
    .action(end)
}

function defineFollow(group: Command): void {
  addLeaf(
    group,
    'claims',
    'list payments without an order that an operator told of and nobody has confirmed yet: nothing of them is booked',
    `${MALIPO} reconcile claims mpesa-kenya`,
  )
    .argument('[rail-account]', 'only of this connection')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 100)
    .action(claims)
  addLeaf(
    group,
    'show',
    'show both sides of a difference, and what people noted about it',
    `${MALIPO} reconcile show 17`,
  )
    .argument('<exception>', EXCEPTION, parseId)
    .action(show)
  addRecordedAction(
    group,
    'note',
    'add a note to a difference; notes stay',
    `${MALIPO} reconcile note 17 "Asked MTN on 22 November, ticket 88213"`,
  )
    .argument('<exception>', EXCEPTION, parseId)
    .argument('<text>', 'one line, for whoever looks into it next', parseNote)
    .action(note)
  addRecordedAction(
    group,
    'assign',
    'say who looks into a difference',
    `${MALIPO} reconcile assign 17 amina@example.com`,
    `${MALIPO} reconcile assign 17 --nobody`,
  )
    .argument('<exception>', EXCEPTION, parseId)
    .argument('[person]', 'the e-mail address of a member of staff; without it, you')
    .option('--nobody', 'it is assigned to nobody any more')
    .action(assign)
}

function parseId(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('It must be the number of an exception.')
  return BigInt(text)
}
