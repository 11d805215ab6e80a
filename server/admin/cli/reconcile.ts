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
import { list, exceptionRecord } from './reconcile-list.ts'
import { run } from './reconcile-run.ts'
import { parseLine } from './staff-line.ts'
import {
  addRecordedAction,
  asRecordedAction,
  addStaffAction,
  type StaffOptions,
  type RecordedOptions,
} from './staff-action.ts'
import { claimRecord, listClaims } from '../queries/statements/claims.ts'
import { withDatabase } from './database.ts'
import { printJson, printTable, shortTime, print, printFields } from './output.ts'
import type { DifferenceTarget } from '../../domain/ledger.ts'
import { amountText } from '../../domain/money.ts'
import { refuseUnknownRail } from '../operations/rail-account-named.ts'
import { endException } from '../operations/end-exception.ts'
import { exceptionNamed } from '../operations/exception-named.ts'
import { runChange, runAddition } from './run-change.ts'
import { assignException, noteOnException } from '../operations/follow-exception.ts'
import { notesOf, sidesOf } from '../queries/statements/follow-exception.ts'

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

/** `reconcile claims`: lists payments that only a message tells of. */
async function claims(
  railAccount: string | undefined,
  { limit, json }: { readonly limit: number; readonly json?: true },
): Promise<void> {
  const rows = await withDatabase(async (context) => {
    const found = await listClaims(context.pool, { railAccount, limit })
    await refuseUnknownRail(context, railAccount, found)
    return found.map((claim) => claimRecord(claim, context.clock.now()))
  })
  if (json) return printJson(rows)
  printTable(
    rows,
    [
      { title: 'RECEIPT', of: ({ receipt }) => receipt },
      { title: 'RAIL ACCOUNT', of: (row) => row.rail_account, cut: true },
      { title: 'AMOUNT', of: ({ amount }) => String(amount), align: 'right' },
      { title: 'CURRENCY', of: ({ currency }) => currency },
      { title: 'PAYER', of: ({ payer }) => payer },
      { title: 'REFERENCE', of: ({ reference }) => reference, cut: true },
      { title: 'PAID', of: (row) => shortTime(row.paid_at) },
      { title: 'TOLD', of: (row) => shortTime(row.claimed_at) },
      { title: 'WAITS FOR', of: (row) => row.waits_for },
    ],
    'Every payment without an order is confirmed.',
  )
}

interface EndOptions extends StaffOptions {
  readonly moveTo?: DifferenceTarget
  readonly secondMovement?: true
  readonly by?: string
}

/** `reconcile end`: a staff member resolves a difference. */
async function end(id: bigint, options: EndOptions): Promise<void> {
  const { reason, moveTo, secondMovement: isSecondMovement, by, json } = options
  const exception = await withDatabase(async (context) => {
    const input = { exception: String(id), reason, moveTo, isSecondMovement, by }
    const { exception_id: ended } = await runChange(context, endException, input, options)
    return exceptionNamed(context, ended)
  })
  if (json) return printJson(exceptionRecord(exception))
  if (isSecondMovement)
    print(`Its line is a movement of its own: ${MALIPO} reconcile ${exception.rail_account} judges it.`)
  const amount = `${amountText(exception.suspense_minor, exception.currency)} ${exception.currency}`
  print(`Exception ${id} (${exception.kind}) is ended. ${whereTo(exception.suspense_minor, amount, moveTo)}`)
}

function whereTo(suspenseMinor: bigint, amount: string, moveTo: DifferenceTarget | undefined): string {
  if (suspenseMinor === 0n) return 'It had no money.'
  return moveTo ? `${amount} went from the suspense account to ${moveTo}.` : `${amount} stays on the suspense account.`
}

/** `reconcile show`: both sides of a difference, and what people noted about it. */
async function show(id: bigint, { json }: { readonly json?: true }): Promise<void> {
  const { exception, sides, notes } = await withDatabase(async (context) => {
    const found = await exceptionNamed(context, String(id))
    const [sides, notes] = await Promise.all([sidesOf(context.pool, id), notesOf(context.pool, id)])
    return { exception: found, sides, notes }
  })
  if (json) return printJson({ ...exceptionRecord(exception), notes })
  const amount = (minor: bigint | null | undefined) =>
    minor === null || minor === undefined ? undefined : `${amountText(minor, exception.currency)} ${exception.currency}`
  printFields([
    ['exception', exception.id],
    ['kind', exception.kind],
    ['rail account', exception.rail_account],
    ['suspense', amount(exception.suspense_minor)],
    ['assigned to', exception.assignee],
    ['our payment', exception.internal_reference],
    ['of merchant', sides?.merchant_name],
    ['amount', amount(sides?.amount_minor)],
    ['status', exception.status],
    ['their line', exception.line_reference],
    ['direction', sides?.line_direction],
    ['line amount', amount(sides?.line_amount_minor)],
    ['line fee', amount(sides?.line_fee_minor)],
    ['booked', exception.line_at && shortTime(exception.line_at)],
    ['the entry', exception.note],
    ['of statement', sides?.import_name],
    ['ended by', exception.ended_by],
    ['because', exception.reason],
  ])
  for (const { at, author, note } of notes) print(`\n${shortTime(at)}  ${author}\n  ${note}`)
}

/** `reconcile note` */
async function note(id: bigint, text: string, options: RecordedOptions): Promise<void> {
  const exception = String(id)
  await withDatabase((context) => runAddition(context, noteOnException, { exception, note: text }, options))
  if (options.json) printJson({ id, note: text })
  else print(`Exception ${id} has a new note.`)
}

interface AssignOptions extends RecordedOptions {
  readonly nobody?: true
}

/** `reconcile assign` */
async function assign(id: bigint, to: string | undefined, options: AssignOptions): Promise<void> {
  const exception = String(id)
  const person = options.nobody ? undefined : (to ?? 'me')
  const { assignee } = await withDatabase(async (context) => {
    await runAddition(context, assignException, { exception, to: person }, options)
    return exceptionNamed(context, exception)
  })
  if (options.json) printJson({ id, assignee })
  else print(`Exception ${id} is assigned to ${assignee ?? 'nobody'}.`)
}
