import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { InvalidArgumentError } from 'commander'
import type { RailKind, RailSetting, SettingValues } from '../../rails/rail-kind.ts'
import { settingsOf } from '../../rails/settings.ts'
import { usedWrongly } from './errors.ts'

export interface SettingsInput {
  /** `--set`: values that may appear in the shell's history. */
  readonly set?: SettingValues
  /** `--from`: a file, or `-` for standard input. */
  readonly from?: string
}

/** Collects repeated `--set name=value`. */
export function parseSetting(argument: string, before: SettingValues = {}): SettingValues {
  const [, name, value] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(argument) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be like requests_per_second=5.')
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is set twice: set it once.`)
  return { ...before, [name]: value }
}

/**
 * The settings given by options and file.
 * @throws CliError for a secret on the command line, and for lines that cannot be parsed
 */
export async function givenSettings(kind: RailKind, { set = {}, from }: SettingsInput): Promise<SettingValues> {
  const known = settingsOf(kind)
  const secret = Object.keys(set).find((name) => known[name]?.secret)
  if (secret !== undefined)
    throw usedWrongly(
      `malipo: ${secret} is a secret: on the command line others could read it. Type it at the prompt, or with --from a file or - (standard input), a line for each: ${secret}=…`,
    )
  return { ...set, ...(from === undefined ? {} : readLines(await readSource(from), from)) }
}

const readSource = (from: string): Promise<string> =>
  from === '-'
    ? text(process.stdin)
    : readFile(from, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw usedWrongly(`malipo: ${from} cannot be read (${error.code ?? 'unknown'})`)
      })

/**
 * Parses lines `name=value`; ignores empty lines and those that begin with #. A PEM value continues to its END line.
 */
function readLines(content: string, from: string): SettingValues {
  const values: Record<string, string> = {}
  let open: string | undefined
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (open !== undefined) {
      values[open] += `\n${line}`
      if (line.startsWith('-----END ')) open = undefined
      continue
    }
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value] = /^([a-z][a-z0-9_]*)\s*=([^]*)$/.exec(line.trim()) ?? []
    // Not quoted in the error: the line itself may hold a secret.
    if (name === undefined || value === undefined)
      throw usedWrongly(`malipo: line ${index + 1} of ${from === '-' ? 'standard input' : from} is not like name=value`)
    values[name] = value.trim()
    if (values[name].startsWith('-----BEGIN ') && !value.includes('-----END ')) open = name
  }
  return values
}

/** Prompts at a terminal for required settings that are missing. Without a terminal the validation reports them. */
export async function queryForMissing(kind: RailKind, given: SettingValues): Promise<SettingValues> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return given
  const answers: Record<string, string> = {}
  for (const [name, setting] of Object.entries(settingsOf(kind)))
    if (given[name] === undefined && setting.default === undefined && !setting.optional)
      answers[name] = await query(name, setting)
  return { ...given, ...answers }
}

async function query(name: string, { meaning, secret }: RailSetting): Promise<string> {
  process.stderr.write(`${name} (${meaning.replaceAll('`', '')})${secret ? ', not shown' : ''}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: secret ? silent : process.stderr, terminal: true })
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    if (secret) process.stderr.write('\n')
  }
}
