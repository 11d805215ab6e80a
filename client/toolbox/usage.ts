import { parseArgs, type ParseArgsConfig } from 'node:util'
import { signingKeyBytes, webhookSecretBytes } from '../secrets.ts'
import { WebhookVerificationError } from '../verification-error.ts'
import { didYouMean } from './did-you-mean.ts'
import type { Terminal } from './terminal.ts'
import { columnsFor, wrap, wrapCommand } from './wrap.ts'

/** An option with its text for `--help`. */
export interface OptionHelp {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly default?: string
  /** The placeholder for the value in the help. */
  readonly value?: string
  readonly help: string
}
/** The options of a command, by name. */
export type OptionTable = Readonly<Record<string, OptionHelp>>

/** A command of the toolbox. */
export interface Command {
  /** The words of its name: `check`, `new shop`. */
  readonly name: string
  readonly summary: string
  /** What follows the name. */
  readonly takes: string
  readonly example: string
  readonly options: OptionTable
  /** Further sentences of the help. */
  readonly notes?: readonly string[]
  /** @returns the exit code: 0 success, 1 something failed, 2 it could not run */
  run(args: readonly string[], terminal: Terminal): Promise<number>
}

/** The command line is wrong, or something it names does not exist: nothing was tried. */
export class UsageError extends Error {
  override name = 'UsageError'
}

type ParsedArguments<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: Mutable<Options>; allowPositionals: true }>
>
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Parses a command's arguments.
 * @throws UsageError that names what is wrong with them
 */
export function readArguments<Options extends OptionTable>(
  args: readonly string[],
  options: Options,
  positionals: { readonly min: number; readonly max: number; readonly name: string },
): ParsedArguments<Options> {
  const parsed = parse(args, options)
  checkKeys(parsed.values)
  const { length } = parsed.positionals
  if (length < positionals.min) throw new UsageError(`${positionals.name} is missing`)
  if (length > positionals.max)
    throw new UsageError(`"${parsed.positionals[positionals.max]}" is one argument too many`)
  return parsed
}

/** A wrong key would make every signature wrong, and the receiver would look faulty. */
function checkKeys(values: Readonly<Record<string, unknown>>): void {
  const { secret, 'signing-key': signingKey } = values
  checkKey('--secret', secret, webhookSecretBytes)
  checkKey('--signing-key', signingKey, signingKeyBytes)
}

function checkKey(name: string, key: unknown, bytesOf: (key: string) => unknown): void {
  try {
    if (typeof key === 'string') bytesOf(key)
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw new UsageError(`${name}: ${error.message}`)
    throw error
  }
}

function parse<Options extends OptionTable>(args: readonly string[], options: Options): ParsedArguments<Options> {
  try {
    return parseArgs<{ options: Mutable<Options>; allowPositionals: true } & ParseArgsConfig>({
      args: [...args],
      options: { ...options },
      allowPositionals: true,
    })
  } catch (error) {
    // Node's second sentence is about its own rules for positionals; the first names the option.
    if (error instanceof TypeError) {
      const said = error.message.replace(/(\.\s|\n)[^]*$/, '')
      const [, dashed] = /^Option '(--[^']+)' argument is ambiguous/.exec(said) ?? []
      if (dashed !== undefined)
        throw new UsageError(`${dashed} needs a value; one that begins with a dash is written ${dashed}=-…`)
      const [, missing] = /^Option '(--[^ ]+) <value>' argument missing/.exec(said) ?? []
      if (missing !== undefined) throw new UsageError(`${missing} needs a value`)
      const [, unknown] = /^Unknown option '--([^']+)'/.exec(said) ?? []
      const near = unknown === undefined ? '' : didYouMean(unknown, Object.keys(options)).replace('"', '"--')
      throw new UsageError(near === '' ? said : `${said}.${near}`)
    }
    throw error
  }
}

/**
 * Parses a URL to which requests can be sent. A path such as `/callbacks` is one of the shop in this folder.
 * @throws UsageError that names the option
 */
export function readUrl(text: string, name: string, { shopUrl }: { readonly shopUrl?: string } = {}): URL {
  const base = text.startsWith('/') ? shopUrl : undefined
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(
    `${name} must be an http or https URL, such as http://localhost:3000/callbacks; "${text}" is none`,
  )
}

/** @throws UsageError that names the option */
export function readNumber(
  text: string,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (number >= min && number <= max) return number
  throw new UsageError(`${name} must be a number from ${min} to ${max}; "${text}" is none`)
}

/** The whole help of one command. */
export function helpOf(
  { name, takes, summary, example, options, notes = [] }: Command,
  terminalColumns?: number,
): string {
  const columns = columnsFor(terminalColumns)
  const rows = Object.entries({ ...options, help: { type: 'boolean', help: 'shows this' } satisfies OptionHelp }).map(
    ([option, help]) => optionRow(option, help),
  )
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    wrap(summary, columns),
    '',
    wrap(`  malipo-dev ${name} ${takes}`, columns, '    '),
    '',
    'Options',
    ...rows.map((row) => wrapRow(row, width, columns)),
    ...(notes.length > 0 ? ['', ...notes.map((note) => wrap(note, columns, /^ */.exec(note)?.[0]))] : []),
    '',
    'Example',
    wrapCommand(`  ${example}`, columns, '    '),
  ].join('\n')
}

/** An option with its description next to it, or below it where a word would not fit in the remaining columns. */
function wrapRow([left, right]: readonly [left: string, right: string], width: number, columns: number): string {
  const isBeside = right.split(' ').every((word) => word.length <= columns - width - 4)
  if (isBeside) return wrap(`  ${left.padEnd(width)}  ${right}`, columns, ' '.repeat(width + 4))
  return `  ${left}\n${wrap(`      ${right}`, columns, ' '.repeat(6))}`
}

function optionRow(option: string, { value, help, default: given }: OptionHelp): [left: string, right: string] {
  return [`--${option}${value === undefined ? '' : ` ${value}`}`, given === undefined ? help : `${help} (${given})`]
}
