import { hash } from 'node:crypto'
import { CsvError, parse } from 'csv-parse/sync'
import type { BatchRow } from '../../actions/create-payout-batch.ts'
import type { ReferenceData } from '../../actions/ports/reference-data.ts'
import type { PayoutRequest } from '../../actions/send-funds.ts'
import type { Party } from '../../domain/approvals.ts'
import { BATCH_ROWS_MAX } from '../../domain/payout-batch.ts'
import { PAYOUT_COLUMNS, type FileColumn } from '../../domain/payout-file.ts'
import { internationalNumber } from '../../domain/phone.ts'
import { OperationRefusal } from './operation.ts'

// Payouts in a CSV file as spreadsheets write it: with a byte order mark or without, commas, semicolons or tabs, CRLF or
// LF, quotes where a value needs them.

export const PAYOUT_FILE_BYTES_MAX = 4 * 1_048_576
const RECORD_BYTES_MAX = 16_384

type ColumnName = keyof typeof PAYOUT_COLUMNS
const NAMES = Object.keys(PAYOUT_COLUMNS) as readonly ColumnName[]
const columnOf = (name: ColumnName): FileColumn => PAYOUT_COLUMNS[name]

export interface PayoutFile {
  /** By its content: the same file has the same. */
  readonly reference: string
  readonly rows: readonly BatchRow[]
}

/** Reads a file; what is wrong with a row stands in its place. @throws OperationRefusal for a file that is no such list */
export function readPayoutFile(bytes: Uint8Array, about: { reference: ReferenceData; maker: Party }): PayoutFile {
  if (bytes.length > PAYOUT_FILE_BYTES_MAX)
    throw refused(`it is larger than ${PAYOUT_FILE_BYTES_MAX / 1_048_576} MiB: split it`)
  const [header, ...records] = recordsOf(textOf(bytes))
  const names = (header?.record ?? []).map((title) => title.trim().toLowerCase())
  checkHeader(names)
  if (records.length === 0) throw refused('it has no payouts below its titles')
  if (records.length > BATCH_ROWS_MAX)
    throw refused(`it has ${records.length} payouts, and ${BATCH_ROWS_MAX} are the most: split it`)
  const rows = records.map(({ record, line }): BatchRow => {
    const cells = cellsOf(names, record)
    const fault = typeof cells === 'string' ? cells : (faultOf(cells) ?? lostZero(cells, about.reference))
    return fault === undefined && typeof cells !== 'string'
      ? { line, request: { ...requestOf(cells), maker: about.maker } }
      : { line, fault: fault ?? '' }
  })
  return { reference: `CSV-${hash('sha256', bytes, 'hex').slice(0, 28).toUpperCase()}`, rows }
}

const refused = (why: string): OperationRefusal =>
  new OperationRefusal('invalid', `nothing was accepted: the file cannot be used: ${why}`)

/** Older spreadsheets write the code page of Western Windows. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes.includes(0)) throw refused('it is no text; save it as CSV')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

interface FileRecord {
  readonly record: readonly string[]
  readonly line: number
}

function recordsOf(text: string): readonly FileRecord[] {
  const [first = ''] = text.split(/\r?\n|\r/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  const delimiter = [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
  try {
    const records = parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      skip_empty_lines: true,
      max_record_size: RECORD_BYTES_MAX,
    }) as unknown as readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[]
    return records.map(({ record, info }) => ({
      record: delimiter === ';' ? record.map(withPoint) : record,
      line: info.lines,
    }))
  } catch (error) {
    if (error instanceof CsvError) throw refused('it has quotes in a place where none can be, or that do not end')
    throw error
  }
}

/** Where semicolons separate the cells, a comma separates the decimals. */
const withPoint = (cell: string): string => (/^\s*\d+,\d{1,2}\s*$/.test(cell) ? cell.replace(',', '.') : cell)

function checkHeader(names: readonly string[]): void {
  const missing = NAMES.filter((name) => !columnOf(name).isOptional && !names.includes(name))
  if (missing.length > 0) throw refused(`its first line lacks ${missing.join(', ')}`)
  const known: ReadonlySet<string> = new Set(NAMES)
  const unknown = names.filter((name) => name !== '' && !known.has(name))
  // Cut: it may be a cell of a file without titles.
  if (unknown.length > 0) throw refused(`its column ${unknown[0]?.slice(0, 20)} is unknown`)
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice !== undefined) throw refused(`it has the column ${twice} twice`)
}

type Cells = Readonly<Partial<Record<ColumnName, string>>>

/** The filled cells by their columns, or why there are none. */
function cellsOf(names: readonly string[], record: readonly string[]): Cells | string {
  const trimmed = record.map((cell) => cell.trim())
  if (trimmed.slice(names.length).some((cell) => cell !== '')) return 'it has more cells than the titles'
  if (trimmed.some((cell, at) => cell !== '' && names[at] === '')) return 'it has a value in a column without a title'
  const filled = names.map((name, at) => [name, trimmed[at] ?? ''] as const).filter(([, cell]) => cell !== '')
  return Object.fromEntries<string>(filled)
}

/** How a spreadsheet shows a long number: its last digits are lost. */
const ROUNDED = /^\d([.,]\d+)?E\+\d+$/i

/** Everything that is wrong with the cells of a row, in their order. */
function faultOf(cells: Cells): string | undefined {
  const faults = NAMES.map((name) => cellFault(name, cells[name])).filter((fault) => fault !== undefined)
  return faults.length === 0 ? undefined : faults.join('; ')
}

function cellFault(name: ColumnName, cell: string | undefined): string | undefined {
  const { pattern, lengthMin, lengthMax, message, isOptional } = columnOf(name)
  if (cell === undefined) return isOptional ? undefined : `${name} is required`
  // Not quoted: it may be an account number.
  if (ROUNDED.test(cell)) return `${name} was rounded by a spreadsheet: make its column text, and enter it again`
  const { length } = [...cell]
  if (length < lengthMin || length > lengthMax) return `${name} must have ${lengthMin} to ${lengthMax} characters`
  return pattern.test(cell) ? undefined : `${name} ${message}`
}

const ZERO_LOST = 'has lost its first zero in a spreadsheet: make its column text, and enter it again'
/** Countries whose account numbers all have as many digits; elsewhere nobody can tell. */
const ACCOUNT_DIGITS: Readonly<Record<string, number>> = { NGN: 10 }

/** A number that would be right with the zeros that a spreadsheet takes from its beginning. */
function lostZero(cells: Cells, reference: ReferenceData): string | undefined {
  const { account_number: account = '', bank_code: bank, provider_code: provider = '' } = cells
  const option = reference.option(provider, 'PAYOUT')
  if (!option) return undefined
  if (bank === undefined) {
    const { callingCode } = option
    const isLost =
      internationalNumber(callingCode, account) === undefined &&
      internationalNumber(callingCode, `0${account}`) !== undefined
    return isLost ? `account_number ${ZERO_LOST}` : undefined
  }
  if (!/^[0-9]{6,20}$/.test(account)) {
    const digits = ACCOUNT_DIGITS[option.currency]
    return digits !== undefined && /^\d+$/.test(account) && account.length < digits
      ? `account_number ${ZERO_LOST}`
      : 'account_number must have 6 to 20 digits'
  }
  if (account.length < (ACCOUNT_DIGITS[option.currency] ?? 0)) return `account_number ${ZERO_LOST}`
  const banks = reference.banks(provider).map(({ bankCode }) => bankCode)
  const isLost = !banks.includes(bank) && banks.some((code) => code.replace(/^0+/, '') === bank)
  return isLost ? `bank_code ${ZERO_LOST}` : undefined
}

const requestOf = (cells: Cells): Omit<PayoutRequest, 'maker'> => ({
  merchantReference: cells.merchant_reference ?? '',
  method: cells.bank_code === undefined ? 'MOBILE_MONEY' : 'BANK',
  currency: cells.currency ?? '',
  amount: cells.amount ?? '',
  providerCode: cells.provider_code ?? '',
  account: cells.account_number ?? '',
  customerName: cells.customer_name ?? '',
  description: cells.description ?? '',
  ...(cells.bank_code !== undefined && { bankCode: cells.bank_code }),
  ...(cells.branch_code !== undefined && { branchCode: cells.branch_code }),
})
