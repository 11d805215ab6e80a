import { expect, test } from 'vitest'
import { operations } from '../../schemathesis-runner-wrapper/contract.ts'
import { readContract } from '../../schemathesis-runner-wrapper/read-contract.ts'
import { narrowed, quickToDraw } from './small-contract.ts'

const CONTRACT = new URL('../../../generated/openapi.json', import.meta.url)

test('a narrowed contract has the wanted operations and no dangling link', async () => {
  const whole = await readContract(CONTRACT)
  const linksOf = ({ components, paths }: typeof whole): number =>
    [...JSON.stringify([components?.responses, paths]).matchAll(/"links":/g)].length
  expect(linksOf(whole)).toBeGreaterThan(0)
  const small = narrowed(whole, ['initializeCollection', 'listWalletBalances'])
  expect(
    operations(small)
      .map(([, , { operationId = '' }]) => operationId)
      .toSorted(),
  ).toEqual(['initializeCollection', 'listWalletBalances'])
  expect(linksOf(small)).toBe(0)
})

test('quickly generated texts and the example fit the published pattern', async () => {
  const contract = await readContract(CONTRACT)
  const urlOf = ({ components }: typeof contract) => components?.schemas?.['RedirectUrl'] ?? {}
  const { pattern, examples: [example] = [] } = urlOf(contract)
  const { pattern: short, format } = urlOf(quickToDraw(contract))
  expect(format).toBeUndefined()
  expect(short).not.toBe(pattern)
  for (const text of [String(example), 'https://a.bc/', 'https://shop.example/a/b-1/2/3']) {
    expect(text).toMatch(new RegExp(String(short)))
    expect(text).toMatch(new RegExp(String(pattern)))
  }
})
