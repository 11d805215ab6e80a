import { readdirSync, readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Figures } from '../../server/actions/ports/figures.ts'
import { databaseFigures } from '../../server/metrics/database-figures.ts'
import { operatorCallMetrics } from '../../server/metrics/operator-calls.ts'
import { operatorMessageMetrics } from '../../server/metrics/operator-messages.ts'
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

/** Statement, its source, and what the rail does about it, of the rail that relies on this fact. */
function rowsWith(fact: string): readonly (readonly [string, string, string])[] {
  const sections = page.split(/\n## /).filter((each) => each.startsWith('What the rail of '))
  const section = sections.find((each) => each.includes(fact)) ?? ''
  const rows = [...section.matchAll(/^\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)]
  return rows.slice(2).map(([, statement = '', mark = '', does = '']) => [statement, mark, does])
}
const rowsOf = (operator: string) => rowsWith(factsOf(operator)[0]?.fact ?? '')

const SAID = { documented: 'documented', observed: 'observed', seen: 'seen', unverified: 'assumed' } as const

test.each(OPERATORS)('every fact of %s is on the page "Rails" with its mark from the contract', (operator) => {
  const facts = factsOf(operator)
  expect(facts.length).toBeGreaterThan(10)
  const reported = new Map(rowsOf(operator).map(([statement, mark]) => [statement, mark]))
  expect(facts.map(({ fact }) => [fact, reported.get(fact)])).toEqual(
    facts.map(({ fact, evidence }) => [fact, SAID[evidence]]),
  )
})

test.each(OPERATORS)('every statement about %s names its source and its consequence', (operator) => {
  const marks: readonly string[] = Object.values(SAID)
  expect(rowsOf(operator).filter(([, mark, does]) => !marks.includes(mark) || does === '')).toEqual([])
})

test('an operator that is down is reported until a trial call succeeds', () => {
  expect(page).toContain('malipo_operator_circuit_state{state!="closed"}')
  expect(page).not.toContain('malipo_operator_circuit_state{state="open"}')
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

/** As a gateway declares them, with their labels: `malipo_orders_unknown_outcome{rail_account}`. */
function labelledMetrics(): readonly string[] {
  const registry = new Registry()
  operatorCallMetrics(registry)
  operatorMessageMetrics(registry)
  databaseFigures(registry, { backlogCountedMax: 1 } as Figures, { now: () => new Date() })
  const metrics = registry.getMetricsAsArray() as unknown as readonly { name: string; labelNames: readonly string[] }[]
  const ofAccounts = metrics.filter(({ labelNames }) => labelNames.includes('rail_account'))
  return ofAccounts.map(({ name, labelNames }) => `${name}{${labelNames.join(', ')}}`)
}

test('every metric labelled by rail account has a row, with its labels', () => {
  const named = labelledMetrics()
  expect(named.length).toBeGreaterThan(8)
  const [, section = ''] = page.split('\n## What is watched\n')
  const rows = [...section.matchAll(/^\| `(malipo_[a-z_]+)\{(.+?)\}` +\|/gm)].map(
    ([, name, labels]) => `${name}{${labels}}`,
  )
  expect(rows.toSorted()).toEqual(named.toSorted())
})
