import { InvalidArgumentError, type Command } from 'commander'
import { PREFIX_RULES } from '../../domain/provider.ts'
import { parseLine, parseReferenceLine } from './staff-line.ts'
import { nameFault } from '../../domain/readable-text.ts'

/** Shows examples below the help of a command or a group of commands. */
export const addExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText('after', `\nExample:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)

/** Adds examples to a command, and the option that all commands have. */
export const describeLeaf = (command: Command, ...examples: readonly string[]): Command =>
  addExamples(command.option('--json', 'print one JSON document'), ...examples)

/** Adds a command to a group. */
export const addLeaf = (group: Command, usage: string, description: string, ...examples: readonly string[]): Command =>
  describeLeaf(group.command(usage).description(description), ...examples)

export const LIMIT_MAX = 1000

/** Maximum number of rows. @throws InvalidArgumentError */
export const parseLimit = (text: string): number => {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > LIMIT_MAX)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${LIMIT_MAX}.`)
  return Number(text)
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * `90s`, `15m`, `24h`, `7d`.
 * @returns milliseconds; undefined for anything else
 */
function spanMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const unitMs = UNIT_MS[unit]
  return unitMs === undefined ? undefined : Number(count) * unitMs
}

/** A time that may be relative to now, which is the database's clock. */
export type RelativeTime = (now: Date) => Date

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/

/** Years that PostgreSQL reads in every time zone. */
const [YEAR_MIN, YEAR_MAX] = [1970, 9998]
const isInRange = (at: Date): boolean => at.getUTCFullYear() >= YEAR_MIN && at.getUTCFullYear() <= YEAR_MAX
const BACK_MS_MAX = 36_500 * 86_400_000

/** A day or a time in ISO 8601, in UTC where it names no zone; undefined where there is no such day or time. */
function momentOf(text: string): Date | undefined {
  const [, day = '', time = '00:00', zone = 'Z'] = MOMENT.exec(text) ?? []
  const [at, midnight] = [new Date(`${day}T${time}${zone}`), new Date(`${day}T00:00Z`)]
  // Date takes 2026-02-30 for a day in March.
  if (Number.isNaN(at.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  return isInRange(at) ? at : undefined
}

/** `90s`, `15m`, `1h`, `7d` before now, or a time in ISO 8601, in UTC unless it names a zone. */
export function parseSince(text: string): RelativeTime {
  const backMs = spanMs(text)
  if (backMs !== undefined && backMs <= BACK_MS_MAX) return (now) => new Date(now.getTime() - backMs)
  const at = momentOf(text)
  if (!at)
    throw new InvalidArgumentError(
      'It must be like 90s, 15m, 1h or 7d, or a moment like 2026-11-20T10:00:00Z, in UTC unless it names a zone.',
    )
  return () => at
}

/** Returns the canonical spelling, whatever the case of the input. */
export const parseOneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value => {
    const value = values.find((candidate) => candidate.toUpperCase() === text.toUpperCase())
    if (!value) throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`)
    return value
  }

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** ISO 4217, in capitals. @throws InvalidArgumentError */
export function parseCurrency(text: string): string {
  const code = text.toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) throw new InvalidArgumentError('It must be three letters (ISO 4217), for example UGX.')
  if (!CURRENCIES.has(code)) throw new InvalidArgumentError(`There is no currency ${code} (ISO 4217).`)
  return code
}

/** A duration: `0`, `90s`, `15m`, `24h`, `7d`. @returns seconds */
export function parseSpan(text: string): number {
  const span = text === '0' ? 0 : spanMs(text)
  if (span === undefined) throw new InvalidArgumentError('It must be like 0, 90s, 15m, 24h or 7d.')
  return span / 1000
}

const PREFIXES_MAX = 100

/** First digits of phone numbers, in the form of `option_prefixes` in the contract: `77,78,76,39`. */
export function parsePrefixes(text: string): string[] {
  const prefixes = text.split(',').map((prefix) => prefix.trim())
  if (prefixes.length > PREFIXES_MAX || prefixes.some((prefix) => !/^\d{1,6}$/.test(prefix))) {
    throw new InvalidArgumentError(
      `It must be 1 to ${PREFIXES_MAX} prefixes of 1 to 6 digits with commas between, for example 77,78,76,39.`,
    )
  }
  const twice = prefixes.find((prefix, index) => prefixes.indexOf(prefix) !== index)
  if (twice !== undefined) throw new InvalidArgumentError(`It has ${twice} twice.`)
  return prefixes
}

const BANKS_MAX = 200

/** Codes and names of banks: `equity_bank_ke=Equity Bank,kcb_ke=KCB Bank`. */
export function parseBanks(text: string): Readonly<Record<string, string>> {
  const banks = text.split(',').map((bank) => /^ *([a-z][a-z0-9_]{1,63})=(\S[^,]{0,98}\S) *$/.exec(bank)?.slice(1))
  const codes = new Set(banks.map((bank) => bank?.[0]))
  if (banks.length > BANKS_MAX || codes.has(undefined) || codes.size < banks.length)
    throw new InvalidArgumentError(
      `It must be 1 to ${BANKS_MAX} different codes with a name each, for example equity_bank_ke=Equity Bank,kcb_ke=KCB Bank.`,
    )
  return Object.fromEntries(banks.map(([code = '', name = ''] = []): [string, string] => [code, parseName(name)]))
}

/** What `--prefix-rule <rule>` means, and its values. */
export const PREFIX_RULE = [
  'strict: a number must begin with a prefix; hint: the operator decides',
  parseOneOf(PREFIX_RULES),
] as const

/** A percentage with up to two decimals. @returns basis points */
export function parsePercent(text: string): number {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text) || Number(text) > 100)
    throw new InvalidArgumentError('It must be a percentage from 0 to 100 with at most two decimals, for example 1.5.')
  return Math.round(Number(text) * 100)
}

const TEXT_LENGTH = { min: 1, max: 200 }

/** One line of text that is stored and shown to people. @throws InvalidArgumentError */
export const parseText = parseLine(TEXT_LENGTH)
/** The same for a name that is compared with other names. @throws InvalidArgumentError */
export const parseReference = parseReferenceLine(TEXT_LENGTH)

/** The display name of a person, merchant or provider. */
export function parseName(text: string): string {
  const name = text.trim()
  const fault = nameFault(name)
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`)
  return name
}
