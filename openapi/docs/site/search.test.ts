import { readFileSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../../reading/contract.ts'
import { markdownPages } from '../pages.ts'
import { hitsIn } from './search-hits.ts'
import { findables, searchIndex } from './search-index.ts'
import { SEARCH_OPTIONS, termOf, wordsOf } from './search-terms.ts'
import { sitePages } from './site.ts'

const contract = parseDocument(readFileSync(bundleUrl, 'utf8'))
const markdown = markdownPages(contract)
const all = findables(sitePages(contract, markdown), markdown)
// Like the browser: from the file, with the code that both sides share.
const index = MiniSearch.loadJSON(searchIndex(all), SEARCH_OPTIONS)
const found = (words: string) => hitsIn(index, words).map(({ kind, address }) => `${kind} ${address}`)

test.each([
  ['retry', 'Guide /docs/idempotency-and-retries'],
  ['Retries', 'Guide /docs/idempotency-and-retries'],
  ['timeout', 'Guide /docs/idempotency-and-retries'],
  ['refund', 'Guide /docs/refunds'],
  ['send funds', 'Operation /docs/send-funds'],
  ['balance', 'Operation /docs/list-wallet-balances'],
  ['otp', 'Operation /docs/authorize-collection'],
  ['verfiy', 'Operation /docs/verify-transaction'],
  ['signature', 'Guide /docs/callbacks-and-signatures'],
  ['errors', 'Guide /docs/errors'],
  ['failure codes', 'Section /docs/life-of-a-transaction#failure-codes'],
  ['invalid key', 'Section /docs/errors#keys-401'],
  ['unauthorized', 'Section /docs/errors#keys-401'],
  ['C#', 'Operation /docs/initialize-collection'],
  ['Java', 'Operation /docs/initialize-collection'],
  ['rate limit', 'Section /docs/errors#what-is-counted'],
  ['409', 'Section /docs/errors#references-404-409'],
  ['has already been used', 'Error /docs/initialize-collection#error-409-merchant-reference-used'],
  ['Invalid bank code', 'Error /docs/send-funds#error-400-bank-unknown'],
  ['insufficient_funds', 'Guide /docs/life-of-a-transaction'],
  ['bank_code', 'Field /docs/send-funds#body-bank-payout-extra-params-bank-code'],
  ['merchant_reference', 'Field /docs/initialize-collection#body-common-fields-merchant-reference'],
  ['extra_params.branch_code', 'Field /docs/send-funds#body-bank-payout-extra-params-branch-code'],
  ['002', 'Test number /docs/sandbox#test-numbers'],
])('"%s" finds first: %s', (words, first) => expect(found(words)[0]).toBe(first))

test.each([
  ['256772000002', '002, 456'],
  ['+256772000006', '006'],
  ['0123456004', '004'],
])('finds %s as the test number that ends in %s', (number, ending) =>
  expect(hitsIn(index, number)[0]).toMatchObject({ title: `Test number that ends in ${ending}` }),
)

test('does not list similar words beside the word that was typed', () => {
  expect(found('refund')).not.toContain('Guide /docs/authentication')
  expect(found('refund').length).toBeLessThan(25)
})

test('finds a time-out in any spelling, and the texts about it', () => {
  for (const written of ['timeout', 'time-out', 'timed out', 'Time out']) expect(wordsOf(written)).toEqual(['timeout'])
  expect(found('time-out')).toEqual(found('timeout'))
  expect(found('timeout')).toContain('Section /docs/life-of-a-transaction#times')
})

test.each([
  ['Retries', 'retry'],
  ['retried', 'retry'],
  ['refunds', 'refund'],
  ['status', 'status'],
  ['address', 'address'],
  ['keys', 'key'],
  ['merchant_references', 'merchant_references'],
])('%s is looked up as %s', (word, term) => expect(termOf(word)).toBe(term))

test('finds every kind of entry, each at its own address', () => {
  expect(new Set(all.map(({ kind }) => kind))).toEqual(
    new Set(['Guide', 'Operation', 'Request to you', 'Section', 'Field', 'Error', 'Test number']),
  )
  const addresses = all.filter(({ kind }) => kind !== 'Test number').map(({ address }) => address)
  expect(addresses.filter((address, place) => addresses.indexOf(address) !== place)).toEqual([])
})

test('finds an error of several operations once', () => {
  const errors = all.filter(({ kind }) => kind === 'Error').map(({ keywords, title }) => `${keywords} ${title}`)
  expect(errors.filter((error, place) => errors.indexOf(error) !== place)).toEqual([])
})

test('keeps the cells of a table apart in the description of its section', () => {
  const times = all.find(({ address }) => address === '/docs/life-of-a-transaction#times')
  expect(times?.about).toMatch(/^a payment page · 30 minutes; an OTP · 5 minutes /)
})
