import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isObject } from './reading/json.ts'
import { bundleUrl, readContract } from './reading/contract.ts'
import { schemaNamed } from './reading/references.ts'
import { REASONS } from '../server/domain/reasons.ts'
import { pagesWithTables } from './page-tables.ts'

test.each(Object.entries(pagesWithTables()))('%s lists what the code has: npm run generate writes it', (path, text) =>
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text),
)

test('the contract lists the reasons that the code has, each example with its code', () => {
  const { document, operations } = readContract(bundleUrl)
  expect(schemaNamed(document, 'ErrorReason')).toMatchObject({ 'x-extensible-enum': Object.keys(REASONS) })
  const refusals = operations
    .flatMap(({ responses }) => responses.flatMap(({ examples }) => examples.map(({ value }) => value)))
    .flatMap((value) => (isObject(value) && value['status'] === 'error' ? [value] : []))
  const codes = Object.fromEntries(Object.entries(REASONS).map(([reason, [code]]) => [reason, code]))
  expect(refusals.filter(({ reason, code }) => codes[String(reason)] !== code)).toEqual([])
})
