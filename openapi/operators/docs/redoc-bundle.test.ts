import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isObject, listOf, objectOf, type JsonObject } from '../../reading/json.ts'
import { dereferenced } from '../../reading/references.ts'
import { OPERATORS } from '../operators.ts'
import { redocBundle } from './redoc-bundle.ts'

const bundleOf = (operator: string): JsonObject =>
  JSON.parse(
    readFileSync(new URL(`../../../generated/operators/${operator}.json`, import.meta.url), 'utf8'),
  ) as JsonObject
const NOW = new Date('2026-11-26T12:00:00Z')
/** The text of a page, or an empty string. */
const pageOf = (shown: JsonObject, name: string): string => {
  const description = listOf(shown.tags)
    .map(objectOf)
    .find((tag) => tag.name === name)?.description
  return typeof description === 'string' ? description : ''
}

test('every table of a document is a page with one line per row', () => {
  for (const operator of OPERATORS) {
    const bundle = bundleOf(operator)
    const shown = redocBundle(bundle, NOW)
    const tables = Object.keys(bundle).filter((key) => key.startsWith('x-'))
    expect(tables.length).toBeGreaterThan(3)
    for (const key of tables)
      expect(pageOf(shown, key.slice(2)).split('\n'), key).toHaveLength(listOf(bundle[key]).length + 2)
  }
})

test('marks facts that nobody has observed for six months', () => {
  const oldAt = (now: string) =>
    pageOf(redocBundle(bundleOf('daraja'), new Date(now)), 'facts').match(/older than six months/g)?.length ?? 0
  const count = listOf(bundleOf('daraja')['x-facts']).length
  expect(oldAt('2026-01-01')).toBe(0)
  expect(oldAt('2026-07-01')).toBeGreaterThan(5)
  expect(oldAt('2026-07-01')).toBeLessThan(count)
  expect(oldAt('2028-01-01')).toBe(count)
})

test('shows a test number as a sentence', () => {
  const lines = pageOf(redocBundle(bundleOf('mtn-momo'), NOW), 'test-numbers').split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      '| payer | `46733123450` | `FAILED` with `INTERNAL_PROCESSING_ERROR` | documented |',
      '| payer | `46733123453` | `PENDING` for 40 s or more, then `FAILED` with `EXPIRED` by callback | observed |',
      '| payer | `46733123454` | `CREATED` for 40 s or more | observed |',
      '| payee | `46733123455` | refused: `NOT_ENOUGH_FUNDS` | documented |',
      '| holder | `46733123451` | not active | documented |',
      '| payer | `other` | `SUCCESSFUL` within 10 s | observed |',
    ]),
  )
})

test('an operation shows its facts, and marks what is not documented', () => {
  const shown = dereferenced(redocBundle(bundleOf('daraja'), NOW))
  const text = JSON.stringify(shown)
  expect(text).toContain('| The same push twice charges twice. It is never sent again. | observed |')
  expect(text).toContain('What the question found.')
  expect(text).toContain('(unverified)')
  expect(text).toContain('No answer yet (observed)')
  expect(text).toContain('What has no mark on these pages is documented.')
  expect(text.includes('(documented)')).toBe(false)
})

test('the values of a status show their source, and a named table is a link', () => {
  const text = JSON.stringify(redocBundle(bundleOf('mtn-momo'), NOW))
  expect(text).toContain('| `CREATED` | no | observed |')
  expect(text).toContain('| `REJECTED` | no | seen |')
  expect(text).toContain('See [error codes](#tag/error-codes); the list is not closed.')
  expect(text.includes('`x-error-codes`')).toBe(false)
})

test('no example changes on its way to the docs', () => {
  const examplesIn = (bundle: JsonObject): unknown[] =>
    Object.values(objectOf(objectOf(bundle.components).examples)).map((each) => isObject(each) && each.value)
  for (const operator of OPERATORS)
    expect(examplesIn(redocBundle(bundleOf(operator), NOW))).toEqual(examplesIn(bundleOf(operator)))
})
