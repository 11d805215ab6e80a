import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/proxy.ts'
import { atSecond, findingsBy, json, providers, sendRequests } from '../testing/exchanges.ts'
import { steadyListsRule } from './steady-lists.ts'

const MTN = { provider_code: 'mtn_ug', transaction_type: 'Collection', min_amount: 500 }
const AIRTEL = { provider_code: 'airtel_ug', transaction_type: 'Collection', min_amount: 500 }
const UGX = { wallet_type: 'MERCHANT_PAYOUT', currency: 'UGX', actual_balance: 1 }
const KES = { ...UGX, currency: 'KES' }
const BANK = { bank_code: 'access_bank_ng', bank_name: 'Access Bank', is_active: true }

const list = (path: string, name: string) => (second: number, items: readonly object[], query: string) =>
  atSecond(second, sendRequests('GET', `${path}?${query}`, json(200, 'Retrieved', { [name]: items })))
const ofProviders = list(providers, 'payment_providers')
const ofWallets = list('/data/wallet-balances', 'merchant_wallets')
const ofBanks = list('/data/payout-bank-codes', 'payout_banks')

const query = 'currency=UGX'
const found = (...exchanges: readonly Exchange[]) => findingsBy([steadyListsRule], ...exchanges)

test.each<[string, ...Exchange[]]>([
  [
    'a change that stays',
    ofProviders(1, [MTN], query),
    ofProviders(1.2, [MTN, AIRTEL], query),
    ofProviders(1.4, [MTN, AIRTEL], query),
  ],
  [
    'a change and its way back, hours apart',
    ofProviders(1, [MTN], query),
    ofProviders(9, [AIRTEL], query),
    ofProviders(99, [MTN], query),
  ],
  [
    'other requests',
    ofProviders(1, [MTN], query),
    ofProviders(1.2, [], 'currency=KES'),
    ofProviders(1.4, [MTN], query),
  ],
  [
    'balances that move',
    ofWallets(1, [UGX], ''),
    ofWallets(1.2, [{ ...UGX, actual_balance: 2 }], ''),
    ofWallets(1.4, [UGX], ''),
  ],
  ['a new wallet', ofWallets(1, [UGX], ''), ofWallets(2, [KES, UGX], ''), ofWallets(3, [KES, UGX], '')],
  [
    'requests at the same time',
    ofProviders(1, [MTN], query),
    { ...ofProviders(1.4, [AIRTEL], query), startedAt: new Date(900) },
    ofProviders(1.5, [MTN], query),
  ],
])('finds nothing wrong with %s', (_name, ...exchanges) => expect(found(...exchanges)).toEqual([]))

test.each<[string, readonly Exchange[], string]>([
  [
    'one wrong field between two equal lists',
    [MTN, MTN, { ...MTN, min_amount: 5 }, MTN].map((item, index) => ofProviders(1 + index / 5, [item], query)),
    'listPaymentProviders: a list differed for one reply and was the same again within a second',
  ],
  [
    'one missing item',
    [[MTN, AIRTEL], [MTN], [MTN, AIRTEL]].map((items, index) => ofProviders(1 + index / 5, items, query)),
    'within a second: without airtel_ug Collection',
  ],
  [
    'an empty list, however long',
    [[BANK], [BANK], [], [], [BANK]].map((items, index) => ofBanks(10 * index + 1, items, 'provider_code=bank_ng')),
    'listPayoutBanks: a list of 1 items was empty in the next reply',
  ],
  [
    'another order',
    [ofProviders(1, [MTN, AIRTEL], query), ofProviders(9, [AIRTEL, MTN], query)],
    'a list had the order',
  ],
  [
    'a wallet that is gone',
    [ofWallets(1, [UGX, KES], ''), ofWallets(9, [UGX], '')],
    'the wallet MERCHANT_PAYOUT KES was listed, and then no more',
  ],
])('finds %s', (_name, exchanges, what) => expect(found(...exchanges)).toEqual([expect.stringContaining(what)]))
