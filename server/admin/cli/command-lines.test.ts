import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'
import { usageFault } from './testing/usage.ts'

interface CommandLine {
  readonly file: string
  readonly words: readonly string[]
  /** Code in a page, or an example of a help text: all of it must parse. In prose only the names are checked. */
  readonly isCode: boolean
  /** A line to be typed as it is: no required part may be missing. */
  readonly isWhole: boolean
}

const FILES = ['README.md', '.github/*.md', '{openapi,server,client,contract-tests}/**/*.{md,ts,yaml,service,sh}']
const isOurs = (file: string): boolean =>
  !/node_modules|\.test\.ts$|unit-tests|\/(bench|simulation|testing|end-to-end)\//.test(file)

const CALLED =
  /(?:npm run (?:-s |--silent )?malipo --|npx --no -- malipo|(?<![\w/.@-])malipo|\$\{MALIPO\})( (?:(?!\$\{MALIPO\})[^\n`|;&#])+)/g
/** What precedes a command on a line of its own, or in the examples of a help text. */
const WHOLE = { page: /^(?:\$ )?(?:[A-Z_]+=\S+ )*$/, help: /^ *`$/ }
const GROUPS = new Set((await createProgram([])).commands.map((command) => command.name()))

function linesIn(file: string, text: string): readonly CommandLine[] {
  const joined = text.replaceAll(/ ?\\\n\s*/g, ' ')
  return [...joined.matchAll(CALLED)].flatMap(({ 0: found, 1: rest = '', index }) => {
    const before = joined.slice(joined.lastIndexOf('\n', index) + 1, index)
    const isPage = file.endsWith('.md')
    const isCode = isPage
      ? /^(?:\$ )?(?:[A-Z_]+=\S+ )*$|`$/.test(before)
      : found.startsWith('$') && /['`]$/.test(before)
    const text = isCode && !isPage ? rest.split(before.at(-1) ?? '')[0] : rest
    const words = wordsOf((text ?? '').replace(/ {2,}.*$/, ''))
    return words !== undefined && GROUPS.has(words[0] ?? '')
      ? [{ file, words, isCode, isWhole: isCode && WHOLE[isPage ? 'page' : 'help'].test(before) }]
      : []
  })
}

/**
 * Splits as a shell does, with a placeholder for each value of the program.
 * @returns undefined for what is written out elsewhere
 */
function wordsOf(line: string): readonly string[] | undefined {
  const text = line.replaceAll(/\$\{[^{}`]*\}/g, '<value>').replace(/, or $/, '')
  if (/…|\.\.\.|\$\{/.test(text)) return undefined
  return (text.match(/(?:'[^']*'|"[^"]*"|<[^>]*>|[^\s'"])+/g) ?? []).map((word) => word.replaceAll(/['"\\]/g, ''))
}

/**
 * @param isWhole whether a missing part is a fault too
 * @returns why the program rejects the line
 */
async function faultOf(words: readonly string[], isWhole = false): Promise<string | undefined> {
  const error = await usageFault(words, { isWhole })
  if (!error) return undefined
  const isSkipped = /argument missing/.test(error.message) || (/missing/.test(error.message) && !isWhole)
  const isFault = error.exitCode !== 0 && !isSkipped && !/argument '[^']*[<_]/.test(error.message)
  return isFault && error.code !== 'commander.help' ? error.message : undefined
}

/** @returns the first option that the command does not have */
async function unknownOption(words: readonly string[]): Promise<string | undefined> {
  const program = await createProgram(words)
  const group = program.commands.find((command) => command.name() === words[0])
  const command = group?.commands.find((each) => each.name() === words[1])
  const known = [program, group, command, ...(command ? [] : (group?.commands ?? []))].flatMap((each) =>
    (each?.options ?? []).flatMap(({ long, short }) => [long, short]),
  )
  return words
    .map((word) => /^--[a-z][a-z-]*/.exec(word)?.[0])
    .find((word) => word !== undefined && word !== '--help' && !known.includes(word))
}

/** A hint with options and their values is typed as it is: a command that requires a reason must have one there. */
async function isWithoutReason(words: readonly string[]): Promise<boolean> {
  const group = (await createProgram(words)).commands.find((command) => command.name() === words[0])
  const command = group?.commands.find((each) => each.name() === words[1])
  const wantsReason = command?.options.some(({ long, mandatory }) => long === '--reason' && mandatory) ?? false
  const hasValue = words.some((word, at) => /^--[a-z]/.test(word) && /^[^-]/.test(words[at + 1] ?? ''))
  return wantsReason && hasValue && !words.some((word) => /^--(?:reason|help)$/.test(word))
}

async function commandLines(): Promise<readonly CommandLine[]> {
  const lines: CommandLine[] = []
  for await (const file of glob(FILES, { exclude: (name) => name.includes('node_modules') }))
    if (isOurs(file)) lines.push(...linesIn(file, readFileSync(file, 'utf8')))
  return lines
}

test('parses every command line of pages, help and messages', async () => {
  const lines = await commandLines()
  expect(lines.filter(({ isCode }) => isCode).length).toBeGreaterThan(150)
  const faults: string[] = []
  for (const { file, words, isCode, isWhole } of lines) {
    const fault = isCode ? await faultOf(words, isWhole) : await unknownOption(words)
    if (fault !== undefined) faults.push(`${file}: malipo ${words.join(' ')}: ${fault}`)
    if (await isWithoutReason(words)) faults.push(`${file}: malipo ${words.join(' ')}: no reason`)
  }
  expect([...new Set(faults)]).toEqual([])
})

test('requires a reason on every line to be typed', async () => {
  expect(await faultOf(['rate', 'set', 'USD', 'UGX', '3800'], true)).toContain("'--reason <text>' not specified")
  const lines = await commandLines()
  expect(lines.filter(({ words, isWhole }) => isWhole && words.includes('--reason')).length).toBeGreaterThan(15)
})

test('names a command line that the program does not take', async () => {
  expect(await faultOf(['transaction', 'resolve', 'ORDER-1', '--finished'])).toContain('--finished')
  expect(await unknownOption(['wallet', 'deposit', '--amout'])).toBe('--amout')
})
