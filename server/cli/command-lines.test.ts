import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { CommanderError, type Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'

interface CommandLine {
  readonly file: string
  readonly words: readonly string[]
  /** Code in a page, or an example of a help: all of it has to parse. In prose only its names are looked up. */
  readonly isCode: boolean
}

const FILES = ['README.md', '.github/*.md', '{openapi,server,client,contract-tests}/**/*.{md,ts,yaml,service,sh}']
const isOurs = (file: string): boolean =>
  !/node_modules|\.test\.ts$|unit-tests|\/(bench|simulation|testing|end-to-end)\//.test(file)

const CALLED = /(?:npm run (?:-s |--silent )?malipo --|npx malipo|(?<![\w/.@-])malipo|\$\{MALIPO\})((?: [^\n`|;&#]+)+)/g
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
    return words !== undefined && GROUPS.has(words[0] ?? '') ? [{ file, words, isCode }] : []
  })
}

/** As a shell divides them. @returns undefined for what is written out elsewhere: an ellipsis, a value of the program */
function wordsOf(text: string): readonly string[] | undefined {
  if (/…|\.\.\.|\$\{/.test(text)) return undefined
  return (text.match(/(?:'[^']*'|"[^"]*"|<[^>]*>|[^\s'"])+/g) ?? []).map((word) => word.replaceAll(/['"\\]/g, ''))
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  command.commands.forEach(silence)
  // What a group does is what its default command does.
  if (command.commands.length === 0) command.action(() => undefined)
}

/** @returns why the program does not take it. That something of it is left out is no fault of a text. */
async function faultOf(words: readonly string[]): Promise<string | undefined> {
  const program = await createProgram(words)
  silence(program)
  try {
    await program.parseAsync(words, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const isFault = error.exitCode !== 0 && !/missing|not specified|argument '[^']*[<_]/.test(error.message)
    return isFault && error.code !== 'commander.help' ? error.message : undefined
  }
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
  for (const { file, words, isCode } of lines) {
    const fault = isCode ? await faultOf(words) : await unknownOption(words)
    if (fault !== undefined) faults.push(`${file}: malipo ${words.join(' ')}: ${fault}`)
  }
  expect([...new Set(faults)]).toEqual([])
})

test.each([
  [['transaction', 'resolve', 'ORDER-1', '--failed', '--json'], '--json is an option'],
  [['transaction', 'resolve', 'ORDER-1', '--failed', '--code', 'expired'], '--code is an option'],
  [['merchant', 'set', '1', '--collection-callback-url', '--json'], '--json is an option'],
])('refuses an option that takes the next one for its value: %j', async (words, why) => {
  expect(await faultOf(words)).toContain(why)
})

test('names a command line that the program does not take', async () => {
  expect(await faultOf(['transaction', 'resolve', 'ORDER-1', '--finished'])).toContain('--finished')
  expect(await unknownOption(['wallet', 'deposit', '--amout'])).toBe('--amout')
})
