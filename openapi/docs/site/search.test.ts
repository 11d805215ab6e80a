import { readFileSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../../reading/contract.ts'
import { markdownPages } from '../pages.ts'
import { hitsIn, snippetOf } from './search-hits.ts'
import { findables } from './search-index.ts'
import { SEARCH_OPTIONS, termOf, wordsOf } from './search-terms.ts'
import { sitePages } from './site.ts'

const contract = parseDocument(readFileSync(bundleUrl, 'utf8'))
const markdown = markdownPages(contract)
const all = findables(sitePages(contract, markdown), markdown)
// As the browser does, with the code that both sides share.
const index = new MiniSearch<object>(SEARCH_OPTIONS)
index.addAll(all)
const found = (words: string) => hitsIn(index, words).map(({ kind, address }) => `${kind} ${address}`)

test.each([
  ['retry', 'Guide /docs/idempotency-and-retries'],
  ['Retries', 'Guide /docs/idempotency-and-retries'],
  ['timeout', 'Guide /docs/idempotency-and-retries'],
  ['refund', 'Guide /docs/refunds'],
  ['send funds', 'Operation /docs/send-funds'],
  ['balance', 'Operation /docs/list-wallet-balances'],
  ['otp', 'Field /docs/authorize-collection#body-otp'],
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
  ['not_refundable', 'Error /docs/refund-collection#error-409-refund-not-completed'],
  ['002', 'Test number /docs/sandbox#test-numbers'],
  ['money back', 'Guide /docs/refunds'],
  ['Chargebacks', 'Guide /docs/refunds'],
  ['how do I reverse a payment?', 'Guide /docs/refunds'],
  ['dispute', 'Guide /docs/refunds'],
  ['SMS', 'Field /docs/authorize-collection#body-otp'],
  ['verification code', 'Field /docs/authorize-collection#body-otp'],
  ['ngrok', 'Guide /docs/first-receiver'],
  ['localhost tunnel', 'Guide /docs/first-receiver'],
  ['void', 'Operation /docs/cancel-payout'],
  ['cancel', 'Operation /docs/cancel-payout'],
  ['phone number format', 'Field /docs/initialize-collection#body-mobile-money-collection-msisdn'],
  ['test cards', 'Guide /docs/sandbox'],
  ['webhooks', 'Guide /docs/callbacks-and-signatures'],
  ['callback', 'Guide /docs/callbacks-and-signatures'],
  ['idempotent', 'Guide /docs/idempotency-and-retries'],
  ['paid twice', 'Guide /docs/idempotency-and-retries'],
  ['missed webhooks', 'Guide /docs/history'],
  ['payroll', 'Guide /docs/bulk-payouts'],
  ['fees', 'Guide /docs/money'],
])('"%s" finds first: %s', (words, first) => expect(found(words)[0]).toBe(first))

test.each([
  ['256772000002', '002, 456'],
  ['+256772000006', '006'],
  ['0123456004', '004'],
])('finds %s as the test number that ends in %s', (number, ending) =>
  expect(hitsIn(index, number)[0]).toMatchObject({ title: `Test number that ends in ${ending}` }),
)

test('shows where a text has the words, and marks them in any spelling', () => {
  const text = `${'A long beginning. '.repeat(20)}The call timed out, or was <b>refunded</b>; refunds follow.${' An end.'.repeat(30)}`
  const shown = snippetOf(text, new Set(['refund', 'timeout'])) ?? []
  expect(shown.filter(({ isMarked }) => isMarked).map((piece) => piece.text)).toEqual(['timed out', 'refunds'])
  const whole = shown.map((piece) => piece.text).join('')
  expect(whole).toMatch(/^… .+<b>refunded<\/b>.+ …$/)
  expect(whole.length).toBeLessThan(200)
  expect(snippetOf('Nothing of it', new Set(['refund']))).toBeUndefined()
})

test('shows why something is found that has another name here', () =>
  expect(hitsIn(index, 'chargeback')[0]?.about.filter(({ isMarked }) => isMarked)[0]?.text).toBe('refund'))

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
