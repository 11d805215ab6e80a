import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPERATORS } from '../operators/operators.ts'

interface Fact {
  readonly fact: string
  readonly evidence: 'documented' | 'observed' | 'seen' | 'unverified'
}

const page = readFileSync(new URL('../pages/rails.md', import.meta.url), 'utf8')
const factsOf = (operator: string): readonly Fact[] => {
  const document = readFileSync(new URL(`../../generated/operators/${operator}.json`, import.meta.url), 'utf8')
  return (JSON.parse(document) as { readonly 'x-facts': readonly Fact[] })['x-facts']
}

const HEADINGS = {
  'mtn-momo': 'What the rail of MTN relies on',
  daraja: 'What the rail of M-PESA relies on',
} as const satisfies Record<(typeof OPERATORS)[number], string>

/** Statement, who says so, what the rail does. */
function rowsOf(heading: string): readonly (readonly [string, string, string])[] {
  const [, text = ''] = page.split(`\n## ${heading}\n`)
  const [section = ''] = text.split(/\n## /)
  const rows = [...section.matchAll(/^\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)]
  return rows.slice(2).map(([, statement = '', mark = '', does = '']) => [statement, mark, does])
}

const SAID = { documented: 'documented', observed: 'observed', seen: 'seen', unverified: 'assumed' } as const

test.each(OPERATORS)('every fact of %s stands on the page "Rails" as it is marked in the contract', (operator) => {
  const facts = factsOf(operator)
  expect(facts.length).toBeGreaterThan(10)
  const told = new Map(rowsOf(HEADINGS[operator]).map(([statement, mark]) => [statement, mark]))
  expect(facts.map(({ fact }) => [fact, told.get(fact)])).toEqual(
    facts.map(({ fact, evidence }) => [fact, SAID[evidence]]),
  )
})

test.each(OPERATORS)('every statement about %s says who says so, and what follows from it', (operator) => {
  const marks: readonly string[] = Object.values(SAID)
  expect(rowsOf(HEADINGS[operator]).filter(([, mark, does]) => !marks.includes(mark) || does === '')).toEqual([])
})

test('every metric on the page is one that a gateway has', () => {
  const metrics = new URL('../../server/metrics/', import.meta.url)
  const source = readdirSync(metrics)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, metrics), 'utf8'))
    .join('')
  const named = new Set([...page.matchAll(/malipo_[a-z_]+/g)].map(([name]) => name))
  expect(named.size).toBeGreaterThan(5)
  expect([...named].filter((name) => !source.includes(`name: '${name}'`))).toEqual([])
})
