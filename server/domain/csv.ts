import { stringify } from 'csv-stringify/sync'

/** Texts may come from others; numbers are ours. */
export type CsvCell = string | number | bigint | boolean | Date | null | undefined

/**
 * Lines of a CSV file (RFC 4180). A text that a spreadsheet would execute as a formula (it begins with `= + - @`, tab
 * or CR) gets an apostrophe before it: merchants and customers choose texts that staff open in a spreadsheet. Numbers
 * stay numbers.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  stringify(rows.slice(), {
    record_delimiter: 'windows',
    escape_formulas: true,
    // Beside a record delimiter of its own, the library leaves a CR or LF in a text unquoted by default.
    quote_record_delimiter: true,
    cast: { boolean: String, date: (at) => at.toISOString() },
  })
