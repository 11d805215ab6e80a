import { expect, test } from 'vitest'
import { customerText, plainPattern } from './customer-text.ts'

const shown = { merchant: 'Duka Langu', reference: 'ORDER-2026-0001' }
const MTN = { max: 160, lastResort: 'Payment' }
const PROMPT = { max: 13, lastResort: 'Payment' }

test.each([
  ['{merchant} {reference}', shown, MTN, 'Duka Langu ORDER 2026 0001'],
  ['Your order {reference}', shown, MTN, 'Your order ORDER 2026 0001'],
  ['Tickets', shown, PROMPT, 'Tickets'],
  ['{merchant}', { ...shown, merchant: "Grandma's Café & Söhne" }, MTN, 'Grandmas Cafe Sohne'],
  ['{merchant}', { ...shown, merchant: 'The Duka of Kampala' }, PROMPT, 'The Duka of K'],
  ['{merchant} {reference}', { merchant: 'x'.repeat(200), reference: 'A1' }, MTN, `${'x'.repeat(157)} A1`],
  ['{merchant} {reference}', { merchant: 'Duka', reference: 'R'.repeat(200) }, PROMPT, 'R'.repeat(13)],
  ['{merchant}', { ...shown, merchant: '東京' }, MTN, 'Payment'],
  ['{merchant} {reference}', undefined, MTN, 'Payment'],
])("renders %j for %j within the operator's limits", (pattern, of, bounds, text) => {
  expect(customerText(pattern, of ? { shown: of } : {}, bounds)).toBe(text)
})

test('a pattern has plain characters and the two placeholders only', () => {
  expect(plainPattern(13)('{merchant} x')).toBeUndefined()
  expect(plainPattern(13)('{customer}')).toBe('must be 1 to 13 letters, digits and spaces')
})
