import { csvLines } from '../../../../server/domain/csv.ts'
import type { Operator } from '../operator.ts'
import type { Booking } from '../world/statement.ts'

/** The operator's statement, as a download from its portal (RFC 4180). */
export const statementCsv = ({ statement }: Operator, bookings: readonly Booking[]): string =>
  csvLines([statement.columns, ...bookings.flatMap((booking) => statement.rows(booking))])
