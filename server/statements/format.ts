import { FEE_RULE_FORM, readFeeRule, type FeeRule } from '../domain/operator-fee.ts'
import type { Currency } from '../domain/money.ts'

/** The format of a rail account's statements. */
export interface StatementFormat {
  readonly currency: Currency
  /** The column titles of its CSV file, by content. */
  readonly columns: Columns
  readonly delimiter: Delimiter
  readonly encoding: Encoding
  readonly decimalSign: DecimalSign
  /** For times that name no zone. */
  readonly timeZone: string
  readonly dayOrder: DayOrder
  /** In lower case: the values of the column `direction`. */
  readonly directions: Readonly<Record<'in' | 'out', string>>
  /** In lower case: only lines with one of these in the column `status` have moved money; empty: all. */
  readonly statuses: readonly string[]
  /** In lower case: words that mark a line as the charge for another line with the same reference (`fee-words.ts`). */
  readonly chargeWords: readonly string[]
  /** Whether camt.053 amounts include the charges where the file does not say so; absent: unknown. */
  readonly charges?: ChargesInAmount
  readonly fees: Readonly<Record<'in' | 'out', FeeRule | undefined>>
}

export const COLUMNS = [
  'reference',
  'ours',
  'original',
  'at',
  'amount',
  'direction',
  'in',
  'out',
  'fee',
  'currency',
  'status',
  'type',
  'details',
  'account',
  'balance',
] as const
export type ColumnName = (typeof COLUMNS)[number]
export type Columns = Readonly<Partial<Record<ColumnName, string>>>

/** Optional columns: some exports of an operator lack them, and a row without them still counts as the header. */
const DISPENSABLE: ReadonlySet<string> = new Set<ColumnName>(['type', 'balance', 'original'])

/** The titles that a header must have. */
export const neededTitles = (columns: Columns): readonly string[] =>
  Object.entries(columns).flatMap(([name, title]) => (DISPENSABLE.has(name) ? [] : [title]))

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', bar: '|', auto: undefined } as const
type Delimiter = keyof typeof DELIMITERS
export const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]
export const DECIMAL_SIGNS = { point: '.', comma: ',' } as const
export type DecimalSign = keyof typeof DECIMAL_SIGNS
export const DAY_ORDERS = ['ymd', 'dmy', 'mdy'] as const
export type DayOrder = (typeof DAY_ORDERS)[number]
export const CHARGES_IN_AMOUNT = ['included', 'on_top'] as const
export type ChargesInAmount = (typeof CHARGES_IN_AMOUNT)[number]

/**
 * Reads `reference=Receipt No.; at=Completion Time; in=Paid In; out=Withdrawn`.
 * @throws RangeError naming what is wrong; the message follows the name of the setting: "must …"
 */
export function readColumns(text: string): Columns {
  const columns: Partial<Record<ColumnName, string>> = {}
  for (const part of text.split(';')) {
    const [, name, title] = /^([a-z]+)\s*=\s*(\S.*)$/.exec(part.trim()) ?? []
    const known = COLUMNS.find((each) => each === name)
    if (known === undefined || title === undefined)
      throw new RangeError(`must be like reference=Receipt; at=Time; amount=Amount, of ${COLUMNS.join(', ')}`)
    if (columns[known] !== undefined) throw new RangeError(`must have ${known} once`)
    columns[known] = title
  }
  for (const needed of ['reference', 'at'] as const)
    if (columns[needed] === undefined) throw new RangeError(`must say which column has ${needed}`)
  if (columns.amount === undefined && (columns.in === undefined || columns.out === undefined))
    throw new RangeError('must say which column has amount, or which have in and out')
  if (columns.amount !== undefined && (columns.in !== undefined || columns.out !== undefined))
    throw new RangeError('must have amount, or in and out, and not both')
  return columns
}

/**
 * Reads `in=CREDIT; out=DEBIT`.
 * @throws RangeError
 */
export function readDirections(text: string): StatementFormat['directions'] {
  const [, ins, outs] = /^in\s*=\s*([^;\s][^;]*);\s*out\s*=\s*([^;\s][^;]*)$/.exec(text.trim()) ?? []
  if (ins === undefined || outs === undefined) throw new RangeError('must be like in=CREDIT; out=DEBIT')
  return { in: ins.trim().toLowerCase(), out: outs.toLowerCase() }
}

/** @throws RangeError for a time zone unknown to this machine */
export function readTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw new RangeError('must be a time zone like Africa/Nairobi or UTC')
  }
}

/** @throws RangeError for any other value */
export function readOneOf<Value extends string>(values: readonly Value[], text: string): Value {
  const value = values.find((each) => each === text)
  if (value === undefined) throw new RangeError(`must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)
  return value
}

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')

export const FEE_MEANING = FEE_RULE_FORM

/**
 * Parses a rail account's settings, including their defaults, for its statement reader.
 * @throws RangeError naming the setting
 */
export function statementFormat(settings: Readonly<Record<string, string>>, currency: Currency): StatementFormat {
  const of = <Value>(name: string, read: (text: string) => Value): Value => {
    const text = settings[name]
    if (text === undefined) throw new RangeError(`${name} is missing`)
    try {
      return read(text)
    } catch (error) {
      throw new RangeError(`${name} ${(error as Error).message}`, { cause: error })
    }
  }
  const delimiters = Object.keys(DELIMITERS) as readonly Delimiter[]
  const signs = Object.keys(DECIMAL_SIGNS) as readonly DecimalSign[]
  const fee = (text: string) => readFeeRule(text, currency)
  const charges = settings['statement_charges']
    ? of('statement_charges', (text) => readOneOf(CHARGES_IN_AMOUNT, text))
    : undefined
  return {
    currency,
    columns: of('statement_columns', readColumns),
    delimiter: of('statement_delimiter', (text) => readOneOf(delimiters, text)),
    encoding: of('statement_encoding', (text) => readOneOf(ENCODINGS, text)),
    decimalSign: of('statement_decimal_sign', (text) => readOneOf(signs, text)),
    timeZone: of('statement_time_zone', readTimeZone),
    dayOrder: of('statement_day_order', (text) => readOneOf(DAY_ORDERS, text)),
    directions: of('statement_directions', readDirections),
    statuses: listOf(settings['statement_statuses'] ?? ''),
    chargeWords: listOf(settings['statement_charge_word'] ?? ''),
    ...(charges && { charges }),
    fees: { in: of('fee_in', fee), out: of('fee_out', fee) },
  }
}
