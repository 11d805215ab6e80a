import { expect, test } from 'vitest'
import { readContract } from '../../../openapi/reading/contract.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { faultsBeyondSchemas, listFaults } from './beyond-schemas.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const { operations } = readContract(new URL('../../../generated/openapi.json', import.meta.url))
const wallets = operations.find(({ id }) => id === 'listWalletBalances')!
const WALLET = {
  wallet_type: 'MERCHANT_PAYOUT',
  currency: 'UGX',
  available_balance: 0.1,
  uncleared_balance: 0.2,
  reserve_balance: 5,
  actual_balance: 5.3,
}

function found({
  status = 200,
  body: reported = {},
  request = {},
  headers = {},
}: {
  status?: number
  body?: unknown
  request?: Partial<WireRequest>
  headers?: WireReply['headers']
}): string[] {
  const reply = { status, headers, body: Buffer.from(JSON.stringify(reported)) }
  const requested = { method: 'GET', path: '/data/wallet-balances', headers: {}, body: Buffer.alloc(0), ...request }
  const faults = [
    ...listFaults(requested, reply, reported),
    ...faultsBeyondSchemas(wallets, requested, reply, reported),
  ]
  return faults.map(({ what }) => what)
}
const list = (...merchant_wallets: readonly object[]) => ({ code: 200, data: { merchant_wallets } })

test('the actual balance is the sum of the other balances, despite binary fractions', () => {
  expect(found({ body: list(WALLET) })).toEqual([])
  expect(found({ body: list(WALLET, { ...WALLET, reserve_balance: 6 }) })).toEqual([
    'a wallet has the actual_balance 5.3, but available_balance, uncleared_balance, reserve_balance are 0.1, 0.2, 6',
  ])
})

test('a list contains only what was requested', () => {
  const path = '/data/wallet-balances?currency=UGX'
  expect(found({ body: list(WALLET), request: { path } })).toEqual([])
  expect(found({ body: list(WALLET, { ...WALLET, currency: 'KES' }), request: { path } })).toEqual([
    'a list requested for currency UGX has an item with KES',
  ])
  expect(
    found({
      body: list({ transaction_type: 'Payout' }),
      request: { path: '/data/payment-providers?transaction_type=COLLECTION' },
    }),
  ).toHaveLength(1)
})

test('a refusal does not repeat the key that it refuses', () => {
  const headers = { 'secret-key': ['nobody_has_this_key'] }
  expect(found({ status: 401, body: { message: refusal('keys_wrong') }, request: { headers } })).toEqual([])
  expect(found({ status: 401, body: { message: 'nobody_has_this_key is not valid' }, request: { headers } })).toEqual([
    'a reply 401 repeats the secret-key that was sent',
  ])
})

test('only a request with an Idempotency-Key gets an earlier reply', () => {
  const headers = { 'idempotency-replayed': ['true'] }
  expect(found({ headers, request: { headers: { 'idempotency-key': ['1'] } } })).toEqual([])
  expect(found({ headers })).toHaveLength(1)
})
