import { expect, test } from 'vitest'
import { callbackUrlOf, optionKey, type Merchant } from './merchant.ts'

const merchant: Merchant = {
  id: 1n,
  name: 'Duka',
  publicKey: 'pub',
  secretKeyDigests: [],
  collectionCallbackUrl: 'https://shop.example/in',
  payoutCallbackUrl: 'https://shop.example/out',
  enabledOptions: new Set(),
}

test('collections and payouts are delivered to their own URLs', () => {
  expect([callbackUrlOf(merchant, 'COLLECTION'), callbackUrlOf(merchant, 'PAYOUT')]).toEqual([
    'https://shop.example/in',
    'https://shop.example/out',
  ])
})

test('a removed merchant gets no delivery', () =>
  expect([callbackUrlOf(undefined, 'COLLECTION'), callbackUrlOf(undefined, 'PAYOUT')]).toEqual([undefined, undefined]))

test('an option is a provider and a type', () => expect(optionKey('mtn_ug', 'PAYOUT')).toBe('mtn_ug:PAYOUT'))
