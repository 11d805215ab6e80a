import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// A file that a comment or a page for people names is there: a name that leads nowhere costs everybody who follows it.

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const isOurs = (file: string): boolean => !/node_modules|(^|\/)dist|CHANGELOG|\/templates\//.test(file)

const files = new Set(globSync('{*,**/*,.github/*}.{ts,js,cjs,sql,yaml,md}', { cwd: root }).filter(isOurs))
const sources = [...files].filter((file) => /\.[tj]s$/.test(file))
const pages = [...files].filter((file) => file.endsWith('.md'))
const ends = new Set([...files].flatMap((file) => file.split('/').map((_, n, parts) => parts.slice(n).join('/'))))

/** Files that are not in this tree: what a merchant writes or a generator makes, and a package whose name ends so. */
const ELSEWHERE: readonly RegExp[] = [
  /^app\/.*route\.ts$/,
  /^my-(shop|desk)\.ts$/,
  /^call\.ts$/,
  /^server\.js$/,
  /^(ipaddr|highlight)\.js$/,
]

const comments = (text: string): string => (text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []).join('\n')

const namesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./<>*{}:-])[\w./-]*\w\.(?:ts|js|cjs|sql|yaml)\b(?![\w*-])/g)].map(([name]) => name)

const isThere = (file: string, name: string): boolean =>
  files.has(normalize(join(dirname(file), name))) || ends.has(name.replace(/^(\.{0,2}\/)+/, ''))

const missing = (file: string, text: string): string[] =>
  namesIn(text)
    .filter((name) => !isThere(file, name) && !ELSEWHERE.some((other) => other.test(name)))
    .map((name) => `${file} names ${name}`)

test('every file that a comment names is there', () => {
  expect(sources.flatMap((file) => missing(file, comments(read(file))))).toEqual([])
})

test('every file that a page for people names is there', () => {
  expect(pages.flatMap((file) => missing(file, read(file)))).toEqual([])
})

test('the check sees names at all', () => {
  expect(sources.flatMap((file) => namesIn(comments(read(file)))).length).toBeGreaterThan(30)
  expect(pages.flatMap((file) => namesIn(read(file))).length).toBeGreaterThan(50)
  expect(missing('server/here.ts', '// as storage/nothing-of-the-kind.ts has it')).toHaveLength(1)
})

test('no declaration has two doc comments: only the last one is shown', () => {
  const doubled = sources.filter((file) => file.endsWith('.ts') && /\*\/\s*\n\s*\/\*\*/.test(read(file)))
  expect(doubled).toEqual([])
})
