import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Every file that a comment or a document names must exist: a dead name costs everybody who follows it.

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const isOurs = (file: string): boolean => !/node_modules|(^|\/)dist|CHANGELOG|\/templates\//.test(file)

const files = new Set(
  globSync('{*,**/*,.github/*}.{ts,js,cjs,sql,yaml,md}', { cwd: root, exclude: ['node_modules', 'dist'] }).filter(
    isOurs,
  ),
)
const sources = [...files].filter((file) => /\.[tj]s$/.test(file))
const pages = [...files].filter((file) => file.endsWith('.md'))
const ends = new Set([...files].flatMap((file) => file.split('/').map((_, n, parts) => parts.slice(n).join('/'))))

/**
 * Files that are not in this tree: those that a merchant writes or a generator creates, a clone of it, and a package
 * with such a name.
 */
const ELSEWHERE: readonly RegExp[] = [
  /^app\/.*route\.ts$/,
  /^my-(shop|desk)\.ts$/,
  /^call\.ts$/,
  /^my-scenario\.yaml$/,
  /^\.malipo\//,
  /^server\.js$/,
  /^\.malipo\//,
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

test('every file that a comment names exists', () => {
  expect(sources.flatMap((file) => missing(file, comments(read(file))))).toEqual([])
})

test('every file that a page for people names exists', () => {
  expect(pages.flatMap((file) => missing(file, read(file)))).toEqual([])
})

/** Links to files of this tree. Those of a docs page begin with `#` or `/`: `npm run docs` finds dead ones. */
const linksIn = (text: string): readonly string[] =>
  [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/\]\((?!https?:|mailto:|[#/])([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  )

const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  )

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = join(dirname(page), path)
  return existsSync(join(root, target)) && (heading === undefined || headingsOf(read(target)).includes(heading))
}

const deadLinks = (page: string, text: string): readonly string[] =>
  linksIn(text)
    .filter((link) => !leadsSomewhere(page, link))
    .map((link) => `${page} links ${link}`)

test('every link of a page leads to a file, and to a heading in it', () => {
  expect(pages.flatMap((file) => deadLinks(file, read(file)))).toEqual([])
  expect(pages.flatMap((file) => linksIn(read(file))).length).toBeGreaterThan(50)
  expect(deadLinks('a page', '[a](nothing.md) [b](README.md#no-such-heading) [c](README.md#start)')).toHaveLength(2)
})

/** As a page names a test: the file and the title. */
const testsIn = (text: string): readonly (readonly [file: string, title: string])[] =>
  [...text.matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', title = '']) => [file, title])

/** A title is the first argument of its test, on the same line or on a line of its own. */
function hasTest(file: string, title: string): boolean {
  if (!files.has(file)) return false
  const text = read(file)
  return ["'", '"', '`'].some((quote) =>
    ['(', ' '].some((before) => text.includes(`${before}${quote}${title}${quote},`)),
  )
}

const lostTests = (page: string, text: string): string[] =>
  testsIn(text)
    .filter(([file, title]) => !hasTest(file, title))
    .map(([file, title]) => `${page} names "${title}" of ${file}`)

test('every test that a page names exists, by its file and title', () => {
  expect(pages.flatMap((file) => lostTests(file, read(file)))).toEqual([])
  expect(lostTests('a page', '`server/named-files.test.ts` "a title of nothing"')).toHaveLength(1)
  expect(lostTests('a page', '`server/nothing.test.ts` "the check finds names"')).toHaveLength(1)
})

test('each of the ten risks of OWASP has a test that covers it', () => {
  const rows = read('.github/SECURITY.md').match(/^\| +\d+\. .*\|$/gm) ?? []
  expect(rows.map((row) => Number(/\d+/.exec(row)?.[0]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([])
})

test('the check finds names', () => {
  expect(sources.flatMap((file) => namesIn(comments(read(file)))).length).toBeGreaterThan(30)
  expect(pages.flatMap((file) => namesIn(read(file))).length).toBeGreaterThan(50)
  expect(missing('server/here.ts', '// as storage/nothing-of-the-kind.ts has it')).toHaveLength(1)
})

test('no declaration has two doc comments, of which only the last one is shown', () => {
  const doubled = sources.filter((file) => file.endsWith('.ts') && /\*\/\s*\n\s*\/\*\*/.test(read(file)))
  expect(doubled).toEqual([])
})
