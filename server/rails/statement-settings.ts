import {
  CHARGES_IN_AMOUNT,
  DAY_ORDERS,
  DECIMAL_SIGNS,
  DELIMITERS,
  ENCODINGS,
  FEE_MEANING,
  readColumns,
  readDirections,
  readOneOf,
  readTimeZone,
} from '../statements/format.ts'
import type { RailSetting } from './rail-kind.ts'

/** Turns a reader's error for a value into the fault text of a setting. */
const fault =
  (read: (value: string) => unknown) =>
  (value: string): string | undefined => {
    try {
      read(value)
      return undefined
    } catch (error) {
      if (error instanceof RangeError) return error.message
      throw error
    }
  }

const oneOf = (values: readonly string[]) => fault((value) => readOneOf(values, value))

/** Checks only the form: the currency limits the decimals of an amount when a statement is read. */
const feeForm = (value: string): string | undefined =>
  value === 'any' || /^[\d.,:%+ ]{1,500}$/.test(value) ? undefined : `must be ${FEE_MEANING.replaceAll('`', '')}`

/** The format of a rail account's statements, and their tolerances. Rail kinds have defaults of their own. */
export const STATEMENT_SETTINGS = {
  statement_account: {
    meaning:
      'the bank account whose statements these are, as an IBAN or account number; statements of others in a file are skipped',
    optional: true,
    fault: (value) => (/^[\w ./:-]{1,70}$/.test(value) ? undefined : 'must be an IBAN or an account number'),
  },
  statement_columns: {
    meaning:
      "the titles of the columns in the operator's CSV file: `reference=…; at=…; amount=…` or `in=…; out=…` and, where they are there, `direction`, `ours`, `original` (what a refund gives back), `fee`, `currency`, `status`, `type`, `details`, `account`, `balance`",
    default: 'reference=Reference; at=Time; amount=Amount; ours=Our Reference',
    fault: fault(readColumns),
  },
  statement_delimiter: {
    meaning: 'what is between the columns: `comma`, `semicolon`, `tab`, `bar`, or `auto` to find out',
    default: 'auto',
    fault: oneOf(Object.keys(DELIMITERS)),
  },
  statement_encoding: {
    meaning:
      'how the characters of a CSV file are written: `utf-8`, `utf-16le` or `windows-1252`; a byte order mark comes before it',
    default: 'utf-8',
    fault: oneOf(ENCODINGS),
  },
  statement_decimal_sign: {
    meaning: 'what stands before the decimals: `point` (1,234.50) or `comma` (1.234,50)',
    default: 'point',
    fault: oneOf(Object.keys(DECIMAL_SIGNS)),
  },
  statement_time_zone: {
    meaning: 'of times that do not name theirs, for example `Africa/Kampala`',
    default: 'UTC',
    fault: fault(readTimeZone),
  },
  statement_day_order: {
    meaning:
      'in which order a day is written: `ymd`, `dmy` or `mdy`; a day with the year first or the name of its month is read in any case',
    default: 'ymd',
    fault: oneOf(DAY_ORDERS),
  },
  statement_directions: {
    meaning: 'what the column `direction` has for money that came and money that went',
    default: 'in=IN; out=OUT',
    fault: fault(readDirections),
  },
  statement_statuses: {
    meaning: 'what the column `status` has where money has moved, with commas between; without it every line counts',
    optional: true,
  },
  statement_charge_word: {
    meaning:
      'words, with commas between, that make a line the fee of another: its column `type` has one of them, or its `details` begin with one and name nobody (`to JUMA`); what is in the column `in` never is a fee',
    optional: true,
  },
  statement_charges: {
    meaning:
      'whether amounts of camt.053 have their charges in them (`included`) or these are taken beside them (`on_top`), where the file does not say; when unset, such an entry is an exception',
    optional: true,
    fault: oneOf(CHARGES_IN_AMOUNT),
  },
  statement_window_hours: {
    meaning: 'how much later than its report the operator may book a movement, in hours',
    default: '24',
    fault: (value) =>
      /^\d{1,4}$/.test(value) && Number(value) <= 1_000 ? undefined : 'must be a whole number of hours from 0 to 1000',
  },
  fee_in: {
    meaning: `what the operator should take when money comes: ${FEE_MEANING}`,
    default: 'any',
    fault: feeForm,
  },
  fee_out: {
    meaning: `what the operator should take when money goes: ${FEE_MEANING}`,
    default: 'any',
    fault: feeForm,
  },
  balance_tolerance: {
    meaning:
      "by how much the operator's balance may differ from our ledger, in major units, for example for fees that its statement shows once a day",
    default: '0',
    fault: (value) => (/^\d{1,12}(\.\d{1,4})?$/.test(value) ? undefined : 'must be an amount of 0 or more'),
  },
} as const satisfies Readonly<Record<string, RailSetting>>
