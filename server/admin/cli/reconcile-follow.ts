import { assignException, noteOnException } from '../operations/follow-exception.ts'
import { exceptionNamed } from '../operations/exception-named.ts'
import { amountText } from '../../domain/money.ts'
import { notesOf, sidesOf } from '../queries/statements/follow-exception.ts'
import { withDatabase } from './database.ts'
import { print, printFields, printJson, shortTime } from './output.ts'
import { exceptionRecord } from './reconcile-list.ts'
import { runAddition } from './run-change.ts'
import type { RecordedOptions } from './staff-action.ts'

/** `reconcile show`: both sides of a difference, and what people noted about it. */
export async function show(id: bigint, { json }: { readonly json?: true }): Promise<void> {
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
export async function note(id: bigint, text: string, options: RecordedOptions): Promise<void> {
  const exception = String(id)
  await withDatabase((context) => runAddition(context, noteOnException, { exception, note: text }, options))
  if (options.json) printJson({ id, note: text })
  else print(`Exception ${id} has a new note.`)
}

interface AssignOptions extends RecordedOptions {
  readonly nobody?: true
}

/** `reconcile assign` */
export async function assign(id: bigint, to: string | undefined, options: AssignOptions): Promise<void> {
  const exception = String(id)
  const person = options.nobody ? undefined : (to ?? 'me')
  const { assignee } = await withDatabase(async (context) => {
    await runAddition(context, assignException, { exception, to: person }, options)
    return exceptionNamed(context, exception)
  })
  if (options.json) printJson({ id, assignee })
  else print(`Exception ${id} is assigned to ${assignee ?? 'nobody'}.`)
}
