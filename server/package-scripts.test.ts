import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// npm runs scripts in cmd.exe on Windows and in sh elsewhere: a script has only what both of them understand.

interface Manifest {
  readonly workspaces?: readonly string[]
  readonly scripts?: Readonly<Record<string, string>>
}
const read = (folder: string): Manifest =>
  JSON.parse(readFileSync(new URL(`../${folder}package.json`, import.meta.url), 'utf8')) as Manifest

const scripts = ['', ...(read('').workspaces ?? []).map((folder) => `${folder}/`)].flatMap((folder) =>
  Object.entries(read(folder).scripts ?? {}).map(([name, script]) => [`${folder}${name}`, script] as const),
)

/** What cmd.exe does not know, or reads in another way, and what to write in its place. */
const ONLY_SH: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(^|&& *)(export|sh|bash|cp|rm|mkdir|cat|test|set) /, 'a command of sh'],
  [/(^|&& *)\w+=/, 'a variable that is set for one command'],
  [/(^|&& *)\S*\//, 'a program that is named by its path: name node and the file'],
  [/[$`']/, 'an expansion, or quotes that are part of the word: double quotes are read alike'],
  [/[;|<>*?]|[^&]&[^&]/, 'another separator, a redirection or a pattern'],
]
const faultsOf = (script: string): readonly string[] =>
  ONLY_SH.flatMap(([pattern, why]) => (pattern.test(script) ? [why] : []))

test.each(scripts)('npm run %s runs in cmd.exe and in sh', (_name, script) => {
  expect(faultsOf(script), script).toEqual([])
})

test.each([
  'export A=b && node a.ts',
  'A=b node a.ts',
  'sh -c "node a.ts"',
  '.ci/sbom',
  './run.sh',
  'node_modules/.bin/tsc',
  'node a.ts "$1"',
  "vitest run 'a b'",
  'node a.ts; node b.ts',
  'node a.ts | node b.ts',
  'prettier *.md',
  'node a.ts > out.txt',
  'node a.ts & node b.ts',
])('finds what cmd.exe cannot run in %j', (script) => {
  expect(faultsOf(script)).not.toEqual([])
})

test('only start has exec, which prepare.ts makes a file for cmd.exe', () => {
  expect(scripts.filter(([, script]) => /\bexec\b/.test(script)).map(([name]) => name)).toEqual(['start'])
  expect(readFileSync(new URL('prepare.ts', import.meta.url), 'utf8')).toContain("'exec.cmd'")
})
