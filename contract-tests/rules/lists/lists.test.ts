import type { Exchange } from '../../harness/proxy.ts'
import { atSecond, json, providers, sendRequests } from '../testing/exchanges.ts'
import { testRows } from '../testing/reports.ts'
import { requestedItemsRule } from './requested-items.ts'
import { steadyListsRule } from './steady-lists.ts'

const MTN = { provider_code: 'mtn_ug', transaction_type: 'Collection', min_amount: 500 }
const AIRTEL = { ...MTN, provider_code: 'airtel_ug' }
const UGX = { wallet_type: 'MERCHANT_PAYOUT', currency: 'UGX', actual_balance: 1 }
const KES = { ...UGX, currency: 'KES' }
const BANK = { bank_code: 'access_bank_ng', bank_name: 'Access Bank', is_active: true }

const list =
  (path: string, name: string, query: string) =>
  (second: number, ...items: readonly object[]): Exchange =>
    atSecond(second, sendRequests('GET', `${path}?${query}`, json(200, 'Retrieved', { [name]: items })))
const inUgx = list(providers, 'payment_providers', 'currency=UGX')
const inKes = list(providers, 'payment_providers', 'currency=KES')
const wallets = list('/data/wallet-balances', 'merchant_wallets', '')
const banks = list('/data/payout-bank-codes', 'payout_banks', 'provider_code=bank_ng')

const transactions = (query: string) => list('/data/transactions', 'transactions', query)
const events = (query: string) => list('/data/events', 'events', query)

testRows([steadyListsRule], {
  'a change that stays': ['', inUgx(1, MTN), inUgx(1.2, MTN, AIRTEL), inUgx(1.4, MTN, AIRTEL)],
  'a change and its way back, hours apart': ['', inUgx(1, MTN), inUgx(9, AIRTEL), inUgx(99, MTN)],
  'other requests': ['', inUgx(1, MTN), inKes(1.2), inUgx(1.4, MTN)],
  'balances that move': ['', wallets(1, UGX), wallets(1.2, { ...UGX, actual_balance: 2 }), wallets(1.4, UGX)],
  'a new wallet': ['', wallets(1, UGX), wallets(2, KES, UGX), wallets(3, KES, UGX)],
  'requests at the same time': [
    '',
    inUgx(1, MTN),
    { ...inUgx(1.4, AIRTEL), startedAt: new Date(900) },
    inUgx(1.5, MTN),
  ],
  'one wrong field between two equal lists': [
    'listPaymentProviders: a list differed for a moment and was the same again within five seconds',
    ...[MTN, MTN, { ...MTN, min_amount: 5 }, MTN].map((item, index) => inUgx(1 + index / 5, item)),
  ],
  'an item that is missing for a whole second': [
    'within five seconds: without airtel_ug Collection',
    ...[[MTN, AIRTEL], [MTN], [MTN], [MTN, AIRTEL]].map((items, index) => inUgx(1 + index, ...items)),
  ],
  'an empty list, however long': [
    'listPayoutBanks: a list of 1 items was empty in the next reply',
    ...[[BANK], [BANK], [], [], [BANK]].map((items, index) => banks(10 * index + 1, ...items)),
  ],
  'another order': ['a list had the order', inUgx(1, MTN, AIRTEL), inUgx(9, AIRTEL, MTN)],
  'a wallet that is gone': [
    'the wallet MERCHANT_PAYOUT KES was listed, and then no more',
    wallets(1, UGX, KES),
    wallets(9, UGX),
  ],
})

testRows([requestedItemsRule], {
  'what was requested': ['', inUgx(1, { ...MTN, transaction_currency: 'UGX' }), banks(2, BANK), wallets(3, UGX, KES)],
  'an item of another currency': [
    'a list requested for currency UGX has an item with KES',
    inUgx(1, { ...MTN, transaction_currency: 'KES' }),
  ],
  'an item that is listed twice': ['a list has access_bank_ng twice', banks(1, BANK, BANK)],
  'a wallet that is listed twice': [
    'a list has MERCHANT_PAYOUT UGX twice',
    wallets(1, UGX, { ...UGX, actual_balance: 2 }),
  ],
  'the beginning of a reference': ['', transactions('reference=INV_1')(1, { merchant_reference: 'INV_12' })],
  'a reference that begins otherwise': [
    'a list requested for reference INV_1 has an item with INVX1',
    transactions('reference=INV_1')(1, { merchant_reference: 'INVX1' }),
  ],
  'events after the one named': ['', events('after=2&limit=2')(1, { number: 3 }, { number: 4 })],
  'a page without bounds': ['', events('')(1, { number: 1 }, { number: 2 }), transactions('limit=1')(2, {})],
  'an event that is not after it': ['what is after 2 has event 2', events('from=x&after=2')(1, { number: 2 })],
  'events downward': ['has event 3 behind 4', events('')(1, { number: 4 }, { number: 3 })],
  'more than the limit': ['a page of at most 1 has 2 items', transactions('limit=1')(1, {}, {})],
})
