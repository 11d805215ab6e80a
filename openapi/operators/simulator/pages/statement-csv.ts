import type { Operator } from '../operator.ts'
import type { Booking } from '../world/statement.ts'

/** The operator's statement, as a download from its portal (RFC 4180). */
export const statementCsv = ({ statement }: Operator, bookings: readonly Booking[]): string =>
  [statement.columns, ...bookings.flatMap((booking) => statement.rows(booking))]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('')

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
