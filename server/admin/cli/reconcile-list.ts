import { amountText } from '../../domain/money.ts'
import type { ExceptionKind } from '../../domain/reconciliation.ts'
import { refuseUnknownRail } from '../operations/rail-account-named.ts'
import { listExceptions, type ExceptionView } from '../queries/statements/end-exception.ts'
import { withDatabase } from './database.ts'
import { printJson, printTable, shortTime } from './output.ts'

interface ListOptions {
  readonly kind?: ExceptionKind
  readonly all?: true
  readonly limit: number
  readonly json?: true
}

/** `reconcile list`: lists the exceptions. */
export async function list(railAccount: string | undefined, { kind, all, limit, json }: ListOptions): Promise<void> {
  const exceptions = await withDatabase(async (context) => {
    const found = await listExceptions(context.pool, { railAccount, kind, state: all ? 'all' : 'open', limit })
    await refuseUnknownRail(context, railAccount, found)
    return found
  })
  if (json) printJson(exceptions.map(exceptionRecord))
  else printExceptions(exceptions)
}

const amountOf =
  (of: (row: ExceptionView) => bigint | null) =>
  (row: ExceptionView): string | undefined => {
    const minor = of(row)
    return minor === null ? undefined : amountText(minor, row.currency)
  }

export function printExceptions(exceptions: readonly ExceptionView[]): void {
  printTable(
    exceptions,
    [
      { title: 'EXCEPTION', of: ({ id }) => id, align: 'right' },
      { title: 'RAIL ACCOUNT', of: ({ rail_account: railAccount }) => railAccount, cut: true },
      { title: 'KIND', of: ({ kind }) => kind },
      { title: 'WAY', of: ({ direction }) => direction },
      { title: 'EXPECTED', of: amountOf(({ expected_minor }) => expected_minor), align: 'right' },
      { title: 'FOUND', of: amountOf(({ found_minor }) => found_minor), align: 'right' },
      { title: 'SUSPENSE', of: amountOf(({ suspense_minor }) => suspense_minor), align: 'right' },
      { title: 'CURRENCY', of: ({ currency }) => currency },
      { title: 'TRANSACTION', of: ({ merchant_reference }) => merchant_reference, cut: true },
      { title: 'LINE', of: ({ line_reference }) => line_reference, cut: true },
      { title: 'BOOKED', of: ({ line_at }) => line_at && shortTime(line_at) },
      ...(exceptions.some(({ assignee }) => assignee !== null)
        ? [{ title: 'ASSIGNED TO', of: ({ assignee }: ExceptionView) => assignee, cut: true as const }]
        : []),
      ...(exceptions.some(({ note }) => note !== null)
        ? [{ title: 'THE ENTRY', of: ({ note }: ExceptionView) => note, cut: true as const }]
        : []),
      ...(exceptions.some(({ ended_at }) => ended_at)
        ? [
            { title: 'ENDED BY', of: ({ ended_by }: ExceptionView) => ended_by },
            { title: 'REASON', of: ({ reason }: ExceptionView) => reason, cut: true as const },
          ]
        : []),
    ],
    'Nothing differs.',
  )
}

export const exceptionRecord = (row: ExceptionView) => ({
  id: row.id,
  rail_account: row.rail_account,
  kind: row.kind,
  direction: row.direction,
  currency: row.currency,
  expected: amountOf(({ expected_minor }) => expected_minor)(row) ?? null,
  found: amountOf(({ found_minor }) => found_minor)(row) ?? null,
  suspense: amountText(row.suspense_minor, row.currency),
  line_reference: row.line_reference,
  booked_at: row.line_at,
  booked_on: row.line_booked_on,
  note: row.note,
  assignee: row.assignee,
  merchant_reference: row.merchant_reference,
  internal_reference: row.internal_reference,
  status: row.status,
  opened_at: row.opened_at,
  ended_at: row.ended_at,
  ended_by: row.ended_by,
  reason: row.reason,
  moved_to: row.moved_to,
  takes_back: row.overtakes,
})
