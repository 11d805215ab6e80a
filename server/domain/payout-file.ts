import { csvLines } from './csv.ts'
import { MERCHANT_REFERENCE } from './references.ts'

// The CSV file in which people send many payouts.

export interface FileColumn {
  readonly isOptional?: true
  /** As the contract has it for the field of a single payout: a test compares them. */
  readonly pattern: RegExp
  readonly lengthMin: number
  readonly lengthMax: number
  readonly message: string
}

const printable = { pattern: /^[\x20-\x7e]{1,64}$/, lengthMin: 1, lengthMax: 64 }
const PRINTABLE = 'must have 1 to 64 printable ASCII characters'
const oneLine = { pattern: /^[^\x00-\x1f\x7f-\x9f]+$/, message: 'must not contain control characters' }

/** The columns by their titles, which are the names of the fields of a single payout. */
export const PAYOUT_COLUMNS = {
  merchant_reference: { ...MERCHANT_REFERENCE, lengthMin: 8, lengthMax: 36 },
  account_number: {
    pattern: /^[\x20-\x7e]{1,32}$/,
    lengthMin: 1,
    lengthMax: 32,
    message: 'must have 1 to 32 printable ASCII characters',
  },
  amount: {
    pattern: /^[0-9]{1,15}([.][0-9]{1,10})?$/,
    lengthMin: 1,
    lengthMax: 26,
    message: 'must be a number such as 20000 or 150.50, without separators of thousands',
  },
  currency: { pattern: /^[A-Z]{3}$/, lengthMin: 3, lengthMax: 3, message: 'must be a 3-letter ISO 4217 code' },
  provider_code: { ...printable, message: PRINTABLE },
  customer_name: { ...oneLine, lengthMin: 1, lengthMax: 100 },
  description: { ...oneLine, lengthMin: 10, lengthMax: 30 },
  bank_code: { ...printable, isOptional: true, message: PRINTABLE },
  branch_code: {
    pattern: /^[A-Za-z0-9-]{1,20}$/,
    isOptional: true,
    lengthMin: 1,
    lengthMax: 20,
    message: 'must have 1 to 20 letters, digits or hyphens',
  },
} as const satisfies Readonly<Record<string, FileColumn>>

const NAMES = Object.keys(PAYOUT_COLUMNS)

/** A file to fill in: the titles and one row of each kind. */
export const PAYOUT_TEMPLATE = csvLines([
  NAMES,
  ['SALARY-2026-03-001', '256772000123', '150000', 'UGX', 'mtn_ug', 'Amina Nakato', 'Salary of March', '', ''],
  [
    'SALARY-2026-03-002',
    '0690000031',
    '5000.50',
    'NGN',
    'bank_ng',
    'Chidi Obi',
    'Salary of March',
    'access_bank_ng',
    '',
  ],
])

/** Faulty rows as a file, to correct the others by. */
export const faultsCsv = (faults: readonly { readonly line: number; readonly message: string }[]): string =>
  csvLines([['line', 'fault'], ...faults.map(({ line, message }) => [line, message])])
