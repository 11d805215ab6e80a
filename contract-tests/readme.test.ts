import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GENERATORS } from './consumers/generators/generators.ts'
import { present } from './harness/part.ts'
import { PART_NAMES } from './suite.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const readme = read('./README.md')
const paragraphOf = (beginning: string): string =>
  present(
    readme.split('\n\n').find((each) => each.startsWith(beginning)),
    `paragraph "${beginning}"`,
  ).replaceAll('\n', ' ')

test.each([
  './README.md',
  './consumers/generators/README.md',
  './schemathesis-runner-wrapper/README.md',
  '../README.md',
])('no table of %s is cut: every row starts with a column separator', (path) => {
  const prose = read(path)
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/`[^`]*`/g, '')
  expect(prose.split('\n').filter((line) => / \| /.test(line) && !line.startsWith('|'))).toEqual([])
})

test('the table of parts has each part once', () => {
  const names = [...paragraphOf('| part ').matchAll(/\| `([a-z ]+)` +\|/g)].map(([, name = '']) => name)
  expect(names.toSorted()).toEqual(PART_NAMES.toSorted())
})

test('states the right number of generators, in three places', () => {
  const count = ['eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen'][GENERATORS.length - 8]
  expect(readme).toContain(`${count} code generators`)
  expect(read('../README.md')).toContain(`tries [${count} generators]`)
  const table = read('./consumers/generators/README.md')
  expect(GENERATORS.filter(({ name, version, reads }) => !rowOf(table, name, version, reads))).toEqual([])
})

const rowOf = (table: string, ...cells: readonly string[]): string | undefined =>
  table.split('\n').find((line) => line.startsWith('|') && cells.every((cell) => line.includes(`| ${cell} `)))

test('keeps the README of the project within 900 words', () => {
  const words = read('../README.md')
    .replaceAll(/<!--[^]*?-->/g, '')
    .match(/\S+/g)
  expect(words?.length).toBeLessThanOrEqual(900)
})
