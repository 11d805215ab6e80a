import type { Difference, ExceptionKind } from '../../../domain/reconciliation.ts'
import type { Queryable } from '../../../storage/pool.ts'
import { jsonRows } from '../../../storage/rows.ts'
import { long } from './bounds.ts'
import type { StoredSubject } from './subjects.ts'

/** An exception as it is stored. */
export interface ExceptionRow {
  readonly id: bigint
  readonly kind: ExceptionKind
  readonly transaction_id: bigint | null
  readonly line_id: bigint | null
  readonly currency: string
  readonly expected_minor: bigint | null
  readonly found_minor: bigint | null
  readonly suspense_minor: bigint
  readonly corrected: 'rail' | 'fee'
  readonly provider_code: string | null
  readonly ended_by: string | null
  readonly overtakes: bigint | null
}

export const EXCEPTION = `e.id, e.kind, e.transaction_id, e.line_id, e.currency, e.expected_minor, e.found_minor,
  e.suspense_minor, e.corrected, e.provider_code, e.ended_by, e.overtakes`

/** Ended by a reconciliation, not by a person: its booking was reversed. */
export const BY_RECONCILIATION = 'reconcile'

/**
 * The known exceptions of these subjects: open ones, and those that staff resolved and nothing has superseded since.
 */
export async function exceptionsOf(
  client: Queryable,
  railAccount: string,
  subjects: readonly StoredSubject[],
): Promise<readonly ExceptionRow[]> {
  const { rows } = await client.query<ExceptionRow>(
    long(
      `select ${EXCEPTION} from reconciliation_exceptions e
       where e.rail_account = $1 and e.overtakes is null and e.ended_by is distinct from '${BY_RECONCILIATION}'
         and not exists (select from reconciliation_exceptions o where o.overtakes = e.id)
         and e.id in (
           select id from reconciliation_exceptions where transaction_id = any($2)
           union select id from reconciliation_exceptions where line_id = any($3))
       order by e.id`,
      [
        railAccount,
        subjects.flatMap(({ order }) => (order ? [order.transactionId] : [])),
        subjects.flatMap(({ lines, doubtful = [] }) => [...lines, ...doubtful].map(({ id }) => id)),
      ],
    ),
  )
  return rows
}

/** A difference with everything that is stored about it. */
interface DetectedDifference {
  readonly difference: Difference
  readonly transactionId: bigint | undefined
  readonly providerCode: string | undefined
}

const textOf = (...parts: readonly (bigint | string | null | undefined)[]): string =>
  parts.map((part) => part ?? '').join(' ')

/** The same key for the same difference, whenever it is found. */
const keyOfFound = ({ difference, transactionId }: DetectedDifference): string =>
  textOf(difference.kind, transactionId, difference.line?.id, difference.suspenseMinor, difference.foundMinor)
const keyOfRow = ({ kind, transaction_id, line_id, suspense_minor, found_minor }: ExceptionRow): string =>
  textOf(kind, transaction_id, line_id, suspense_minor, found_minor)

interface Changes {
  /** Found now, and neither open nor resolved by a person. */
  readonly opened: readonly DetectedDifference[]
  /** Open, and no longer found. */
  readonly ended: readonly ExceptionRow[]
  /** Resolved by a person, but the difference has changed since: another exception reverses what was booked for it. */
  readonly overtaken: readonly ExceptionRow[]
  /** Subjects without open exceptions. */
  readonly settled: readonly StoredSubject[]
}

/** What has changed about these subjects since the last run. */
export function changesOf(
  subjects: readonly StoredSubject[],
  judge: (subject: StoredSubject) => readonly Difference[],
  known: readonly ExceptionRow[],
): Changes {
  const knownByKey = new Map(known.map((row) => [keyOfRow(row), row]))
  const kept = new Set<ExceptionRow>()
  const opened: DetectedDifference[] = []
  const settled: StoredSubject[] = []
  for (const subject of subjects) {
    const found = judge(subject).map((difference) => ({
      difference,
      transactionId: subject.order?.transactionId,
      providerCode: subject.providerCode,
    }))
    const rows = found.map((each) => knownByKey.get(keyOfFound(each)))
    opened.push(...found.filter((_, index) => rows[index] === undefined))
    for (const row of rows) if (row) kept.add(row)
    if (subject.order?.status === 'COMPLETED' && rows.every((row) => row && row.ended_by !== null))
      settled.push(subject)
  }
  const gone = known.filter((row) => !kept.has(row))
  return {
    opened,
    ended: gone.filter(({ ended_by }) => ended_by === null),
    overtaken: gone.filter(({ ended_by, suspense_minor }) => ended_by !== null && suspense_minor !== 0n),
    settled,
  }
}

/** An item to store with the id of the transfer that it books; undefined where nothing is booked. */
export type WithTransfer<Item> = Item & { readonly transferId: bigint | undefined }

export const storeOpened = (
  client: Queryable,
  railAccount: string,
  currency: string,
  opened: readonly WithTransfer<DetectedDifference>[],
  now: Date,
): Promise<unknown> =>
  client.query(
    long(
      `insert into reconciliation_exceptions (rail_account, currency, opened_at, kind, transaction_id, line_id,
         expected_minor, found_minor, suspense_minor, corrected, provider_code, opening_transfer_id)
       select $2, $3, $4, kind, transaction_id, line_id, expected_minor, found_minor, suspense_minor, corrected,
         provider_code, transfer_id
       from json_to_recordset($1) as r(kind text, transaction_id bigint, line_id bigint, expected_minor bigint,
         found_minor bigint, suspense_minor bigint, corrected text, provider_code text, transfer_id bigint)`,
      [
        jsonRows(
          opened.map(({ difference, transactionId, providerCode, transferId }) => ({
            kind: difference.kind,
            transaction_id: transactionId,
            line_id: difference.line?.id,
            expected_minor: difference.expectedMinor,
            found_minor: difference.foundMinor,
            suspense_minor: difference.suspenseMinor,
            corrected: difference.corrected,
            provider_code: providerCode,
            transfer_id: transferId,
          })),
        ),
        railAccount,
        currency,
        now,
      ],
    ),
  )

export const storeEnded = (
  client: Queryable,
  ended: readonly WithTransfer<ExceptionRow>[],
  now: Date,
): Promise<unknown> =>
  client.query(
    long(
      `update reconciliation_exceptions e set ended_at = $2, ended_by = '${BY_RECONCILIATION}',
         reason = 'a later statement, or the order''s own result, explains it', closing_transfer_id = r.transfer_id
       from json_to_recordset($1) as r(id bigint, transfer_id bigint) where e.id = r.id`,
      [jsonRows(ended.map(({ id, transferId }) => ({ id, transfer_id: transferId }))), now],
    ),
  )

export const storeOvertaking = (
  client: Queryable,
  overtaken: readonly WithTransfer<ExceptionRow>[],
  now: Date,
): Promise<unknown> =>
  client.query(
    long(
      `insert into reconciliation_exceptions (rail_account, currency, opened_at, kind, transaction_id, line_id,
         expected_minor, found_minor, suspense_minor, corrected, provider_code, opening_transfer_id, overtakes)
       select e.rail_account, e.currency, $2, 'late', e.transaction_id, e.line_id, e.found_minor, e.expected_minor,
         -e.suspense_minor, e.corrected, e.provider_code, r.transfer_id, e.id
       from json_to_recordset($1) as r(id bigint, transfer_id bigint) join reconciliation_exceptions e on e.id = r.id`,
      [jsonRows(overtaken.map(({ id, transferId }) => ({ id, transfer_id: transferId }))), now],
    ),
  )
