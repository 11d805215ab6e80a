import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { redirectFaults, redirectNames } from './redirect-address.ts'

const names = redirectNames(readContract(bundleUrl))
const wrong = (wanted: string, location: string): string[] =>
  redirectFaults(wanted, location, names).map(({ rule }) => rule)

test.each([
  ['https://shop.example/done?order=7', 'https://shop.example/done?order=7&id=7&event=transaction.failed'],
  ['https://shop.example/done?a=b+c&', 'https://shop.example/done?a=b+c&id=7'],
  ['https://shop.example/done?', 'https://shop.example/done?id=7'],
  ['https://shop.example', 'https://shop.example/?id=7'],
  ['https://shop.example#paid', 'https://shop.example?id=7#paid'],
  ['https://bücher.example/a', 'https://xn--bcher-kva.example/a?id=7'],
])('accepts %s as %s', (wanted, location) => expect(wrong(wanted, location)).toEqual([]))

const SHOP = 'https://shop.example/done?order=7'
test.each([
  ['its query written again', 'https://shop.example/done?order=07&id=7', 'redirect query'],
  ['its query after the outcome', 'https://shop.example/done?id=7&order=7', 'redirect query'],
  ['its path written again', 'https://shop.example/Done?order=7&id=7', 'redirect path'],
  ['a host that looks alike', 'https://shop.example.evil.example/done?order=7&id=7', 'redirect host'],
  ['a user name', 'https://a@shop.example/done?order=7&id=7', 'redirect host'],
  ['a fragment', 'https://shop.example/done?order=7&id=7#top', 'redirect fragment'],
  ['a plus for a blank', 'https://shop.example/done?order=7&status_message=It+failed', 'redirect encoding'],
  ['a parameter that is not declared', 'https://shop.example/done?order=7&id=7&amount=5', 'redirect parameter amount'],
  ['a parameter twice', 'https://shop.example/done?order=7&id=7&id=7', 'redirect parameter id'],
])('rejects a redirect with %s', (_name, location, rule) => expect(wrong(SHOP, location)).toEqual([rule]))
