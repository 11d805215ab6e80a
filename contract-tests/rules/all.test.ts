import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CATALOGUE } from '../../server/verification/planted-faults/catalogue.ts'
import { RULES } from './all.ts'

const LINES_MAX = 60
const here = new URL('./', import.meta.url)
/** Each file that has a rule, with the names of its rules. */
const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => {
    const text = readFileSync(new URL(file, here), 'utf8')
    const rules = [...text.matchAll(/^export const (\w+Rule)\b/gm)].map(([, name = '']) => name)
    return { file, rules, lines: text.trimEnd().split('\n').length }
  })
  .filter(({ rules }) => rules.length > 0)

test('each rule is listed, and has a file of its own', () => {
  expect(files.filter(({ rules }) => rules.length > 1)).toEqual([])
  expect(RULES).toHaveLength(files.length)
})

test('no rule is longer than 60 lines', () => {
  expect(files.filter(({ lines }) => lines > LINES_MAX)).toEqual([])
})

test('no two rules share a name', () => {
  const names = RULES.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each(RULES.map((rule) => [rule.name, rule] as const))('%s has a reason and a planted fault', (_name, rule) => {
  expect(rule.reason).toMatch(/^[A-Z].{20,}\.$/s)
  expect(CATALOGUE.map(({ name }) => name)).toContain(rule.plantedFault)
})
