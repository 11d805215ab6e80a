import { amountToWire } from '../../../domain/money.ts'
import { present } from '../../../domain/present.ts'
import { success } from '../../../http/envelope.ts'
import { endException as end } from '../../operations/end-exception.ts'
import { exceptionNamed } from '../../operations/exception-named.ts'
import {
  assignException as assign,
  memberOfStaff,
  noteOnException as addNote,
} from '../../operations/follow-exception.ts'
import { importStatement, pullStatement } from '../../operations/import-statement.ts'
import { earlierRun, runReconciliation as run, type ReconciliationRun } from '../../operations/run-reconciliation.ts'
import { claimPlace, claimRecord, listClaims, placeOfClaim } from '../../queries/statements/claims.ts'
import { listExceptions as list, type ExceptionView } from '../../queries/statements/end-exception.ts'
import { notesOf, sidesOf, type ExceptionSides } from '../../queries/statements/follow-exception.ts'
import { listImports } from '../../queries/statements/import.ts'
import { changed, type AdminData, type AdminHandler, type AdminHandlers } from '../handler.ts'
import { heldRuns } from '../held-runs.ts'
import { counted, idOfCursor as idOf, pageOf, wire, wrongCursor } from '../wire.ts'

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

const listExceptions: AdminHandler<'listExceptions'> = async ({ context, query }) => {
  const { rail_account: railAccount, kind, state = 'open', assigned_to: assignedTo, after, limit = 50 } = query
  const assigneeId = assignedTo === undefined ? undefined : await memberOfStaff(context, assignedTo)
  const filter = { railAccount, kind, state, assigneeId, limit: limit + 1 }
  const found = await list(context.pool, { ...filter, after: idOf(after) })
  const { items, ...next } = pageOf(found, limit, ({ id }) => String(id))
  return success(counted(items, 'difference'), { ...next, items: items.map(exceptionOf) })
}

const showException: AdminHandler<'showException'> = async ({ context, params }) => {
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

const noteOnException: AdminHandler<'noteOnException'> = ({ body, ...call }) =>
  changed({ ...call, body: {} }, addNote, { exception: call.params.exception, note: body.note })

const assignException: AdminHandler<'assignException'> = ({ body, ...call }) =>
  changed({ ...call, body: {} }, assign, { exception: call.params.exception, to: body.to })

const endException: AdminHandler<'endException'> = (call) => {
  const { reason, move_to: moveTo, second_movement: isSecondMovement } = call.body
  return changed(call, end, { exception: call.params.exception, reason, moveTo, isSecondMovement })
}

/** A repetition of the request joins the run of this process, or is told of that of another. */
function createRun(): AdminHandler<'runReconciliation'> {
  const runs = heldRuns<ReconciliationRun>()
  return async ({ context, params, body, claim: given }) => {
    const claim = present(given, 'the key of a run')
    const name = JSON.stringify([String(claim.personId), claim.key, claim.digest])
    const earlier = runs.has(name) ? undefined : await earlierRun(context, claim)
    // It may have begun here while we looked.
    const known = earlier === 'running' && runs.has(name) ? undefined : earlier
    const until = body.until === undefined ? undefined : new Date(body.until)
    const request = { railAccount: params.rail_account, until, reason: body.reason, claim }
    return success(...runRecord(known ?? (await runs.join(name, () => run(context, request)))))
  }
}

function runRecord(found: ReconciliationRun | 'running'): [message: string, AdminData<'runReconciliation'>] {
  if (found === 'running') return ['It is going on', { state: 'running' }]
  const { fees_minor: minor, ...run } = found
  const { opened, ended, currency } = run
  return [
    `${opened} ${opened === 1 ? 'difference is' : 'differences are'} new, ${ended} are explained`,
    { state: 'done', ...run, fees: amountToWire(BigInt(minor), currency) },
  ]
}

const importFile: AdminHandler<'importStatement'> = (call) => {
  const { file, content, skip_unreadable, account } = call.body
  const bytes = Buffer.from(content, 'base64')
  const input = { rail_account: call.params.rail_account, file, skip_unreadable, account }
  return changed(call, importStatement, { ...input, bytes: inOne(bytes) })
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const pull: AdminHandler<'pullStatement'> = (call) =>
  changed(call, pullStatement, { rail_account: call.params.rail_account, since: new Date(call.body.since) })

const listStatements: AdminHandler<'listStatements'> = async ({ context, query }) => {
  const { rail_account: railAccount, after, limit = 50 } = query
  const found = await listImports(context.pool, { railAccount, before: idOf(after), limit: limit + 1 })
  const page = pageOf(found, limit, ({ id }) => String(id))
  return success(counted(page.items, 'statement'), wire<AdminData<'listStatements'>>(page))
}

const listUnconfirmed: AdminHandler<'listClaims'> = async ({ context, query }) => {
  const { rail_account: railAccount, after, limit = 50 } = query
  const place = after === undefined ? undefined : claimPlace(after)
  if (after !== undefined && !place) throw wrongCursor()
  const found = await listClaims(context.pool, { railAccount, after: place, limit: limit + 1 })
  const page = pageOf(found, limit, placeOfClaim)
  const now = context.clock.now()
  return success(
    counted(page.items, 'payment'),
    wire<AdminData<'listClaims'>>({ ...page, items: page.items.map((claim) => claimRecord(claim, now)) }),
  )
}

export const RECONCILIATION = {
  listClaims: listUnconfirmed,
  listExceptions,
  showException,
  noteOnException,
  assignException,
  endException,
  runReconciliation: createRun(),
  importStatement: importFile,
  pullStatement: pull,
  listStatements,
} satisfies Partial<AdminHandlers>
