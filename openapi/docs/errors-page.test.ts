import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isObject } from '../reading/json.ts'
import { bundleUrl, readContract } from '../reading/contract.ts'
import { errorRowsIn } from './error-rows.ts'

const { operations } = readContract(bundleUrl)
const page = readFileSync(new URL('../pages/errors.md', import.meta.url), 'utf8')

const rows = errorRowsIn(page)
const OUTSIDE = 'Outside the operations'
const line = ({ code, message }: { readonly code: number; readonly message: string }): string => `${code} ${message}`

const isError = (
  value: unknown,
): value is { readonly code: number; readonly status: 'error'; readonly message: string } =>
  isObject(value) && value.status === 'error'
const examples = operations
  .filter(({ kind }) => kind === 'operation')
  .flatMap(({ responses }) => responses.flatMap((response) => response.examples.map(({ value }) => value)))
  .filter(isError)

test('the page about errors names each message of the contract once, with its code', () => {
  const named = rows.filter(({ section }) => section !== OUTSIDE).map(line)
  expect(examples.length).toBeGreaterThan(40)
  expect(named.toSorted()).toEqual([...new Set(examples.map(line))].toSorted())
})

test('each message on the page has a cause, and what to do about it', () => {
  expect(rows.filter(({ section }) => section === OUTSIDE)).toHaveLength(2)
  expect(
    rows.filter(({ texts }) => texts.length !== 2 || texts.some((text) => !/^[A-Z].*\.$/.test(text.trim()))),
  ).toEqual([])
})
