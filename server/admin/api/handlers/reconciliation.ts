import { amountToWire } from '../../../domain/money.ts'
import { success } from '../../../http/envelope.ts'
import { endException as end } from '../../operations/end-exception.ts'
import { exceptionNamed } from '../../operations/exception-named.ts'
import {
  assignException as assign,
  memberOfStaff,
  noteOnException as addNote,
} from '../../operations/follow-exception.ts'
import { runReconciliation as run } from '../../operations/run-reconciliation.ts'
import { listExceptions as list, type ExceptionView } from '../../queries/statements/end-exception.ts'
import { notesOf, sidesOf, type ExceptionSides } from '../../queries/statements/follow-exception.ts'
import { listImports } from '../../queries/statements/import.ts'
import { changed, type AdminData, type AdminHandler } from '../handler.ts'
import { idOfCursor as idOf, pageOf, wire } from '../wire.ts'

type Exception = AdminData<'showException'>['exception']

/** An amount in major units, where there is one. */
const inMajor = (currency: string) => (minor: bigint | null) => (minor === null ? null : amountToWire(minor, currency))

function exceptionOf({ currency, ...row }: ExceptionView): Exception {
  const major = inMajor(currency)
  return wire<Exception>({
    id: row.id,
    rail_account: row.rail_account,
    kind: row.kind,
    direction: row.direction,
    currency,
    expected: major(row.expected_minor),
    found: major(row.found_minor),
    suspense: major(row.suspense_minor),
    line_reference: row.line_reference,
    booked_at: row.line_at,
    entry: row.note,
    merchant_reference: row.merchant_reference,
    internal_reference: row.internal_reference,
    transaction_status: row.status,
    assigned_to: row.assignee,
    opened_at: row.opened_at,
    ended_at: row.ended_at,
    ended_by: row.ended_by,
    reason: row.reason,
    moved_to: row.moved_to,
    takes_back: row.overtakes,
  })
}

export const listExceptions: AdminHandler<'listExceptions'> = async ({ context, query }) => {
  const { rail_account: railAccount, kind, state = 'open', assigned_to: assignedTo, after, limit = 50 } = query
  const assigneeId = assignedTo === undefined ? undefined : await memberOfStaff(context, assignedTo)
  const filter = { railAccount, kind, state, assigneeId, limit: limit + 1 }
  const found = await list(context.pool, { ...filter, after: after === undefined ? undefined : idOf(after) })
  const page = pageOf(found, limit, ({ id }) => String(id))
  const { length } = page.items
  return success(`${length} ${length === 1 ? 'difference' : 'differences'}`, {
    ...page,
    items: page.items.map(exceptionOf),
  })
}

export const showException: AdminHandler<'showException'> = async ({ context, params }) => {
  const exception = await exceptionNamed(context, params.exception)
  const [sides, notes] = await Promise.all([sidesOf(context.pool, exception.id), notesOf(context.pool, exception.id)])
  return success(exception.kind, {
    exception: exceptionOf(exception),
    ...(sides && bothOf(sides, exception.currency)),
    notes: wire<AdminData<'showException'>['notes']>([...notes]),
  })
}

/** A payment that is archived, and a difference without a line, have no side. */
function bothOf(sides: ExceptionSides, currency: string): Pick<AdminData<'showException'>, 'ours' | 'theirs'> {
  const major = inMajor(currency)
  const ours = {
    transaction_type: sides.type,
    amount: major(sides.amount_minor),
    charge: major(sides.charge_minor),
    provider_code: sides.provider_code,
    merchant_name: sides.merchant_name,
    merchant_public_key: sides.merchant_public_key,
    status_message: sides.status_message,
    created_at: sides.created_at,
    final_at: sides.final_at,
  }
  const theirs = {
    direction: sides.line_direction,
    amount: major(sides.line_amount_minor),
    fee: major(sides.line_fee_minor),
    expected_fee: major(sides.line_expected_fee_minor),
    our_reference: sides.our_reference,
    line_number: sides.line_number,
    import_id: sides.import_id,
    import_name: sides.import_name,
    imported_at: sides.imported_at,
  }
  return wire({ ...(sides.type !== null && { ours }), ...(sides.import_id !== null && { theirs }) })
}

export const noteOnException: AdminHandler<'noteOnException'> = ({ body, ...call }) =>
  changed({ ...call, body: {} }, addNote, { exception: call.params.exception, note: body.note })

export const assignException: AdminHandler<'assignException'> = ({ body, ...call }) =>
  changed({ ...call, body: {} }, assign, { exception: call.params.exception, to: body.to })

export const endException: AdminHandler<'endException'> = (call) => {
  const { reason, move_to: moveTo, second_movement: isSecondMovement } = call.body
  return changed(call, end, { exception: call.params.exception, reason, moveTo, isSecondMovement })
}

export const runReconciliation: AdminHandler<'runReconciliation'> = async ({ context, params, body }) => {
  const until = body.until === undefined ? undefined : new Date(body.until)
  const request = { railAccount: params.rail_account, until, reason: body.reason }
  const { currency, result } = await run(context, request)
  const { opened, ended } = result
  return success(`${opened} ${opened === 1 ? 'difference is' : 'differences are'} new, ${ended} are explained`, {
    complete_from: result.from.toISOString(),
    complete_until: result.until.toISOString(),
    currency,
    settled_lines: result.settledLines,
    waiting_lines: Number(result.waitingLines),
    completed_orders: result.completedOrders,
    fees: amountToWire(result.feesMinor, currency),
    opened,
    ended,
  })
}

export const listStatements: AdminHandler<'listStatements'> = async ({ context, query }) => {
  const { rail_account: railAccount, after, limit = 50 } = query
  const before = after === undefined ? undefined : idOf(after)
  const page = pageOf(await listImports(context.pool, { railAccount, before, limit: limit + 1 }), limit, ({ id }) =>
    String(id),
  )
  const { length } = page.items
  return success(`${length} ${length === 1 ? 'statement' : 'statements'}`, wire<AdminData<'listStatements'>>(page))
}
