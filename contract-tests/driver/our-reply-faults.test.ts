import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../openapi/reading/contract.ts'
import { wireRequest, type WireReply } from '../harness/proxy.ts'
import { ourReplyFaults } from './our-reply-faults.ts'

const wallets = readContract(bundleUrl).operations.find(({ id }) => id === 'listWalletBalances')!

function found(path: string, body: object, { sent = {}, came = {} }: { sent?: object; came?: object } = {}): string[] {
  const request = wireRequest('GET', path, sent as Record<string, string>)
  const reply = { status: 200, headers: came as WireReply['headers'], body: Buffer.from(JSON.stringify(body)) }
  const faults = ourReplyFaults({ operation: wallets, rule: 'a request', expect: 'success', request }, reply, true)
  return faults.map(({ what }) => what)
}
const list = (...merchant_wallets: readonly object[]) => ({ code: 200, data: { merchant_wallets } })
const REPLAYED = { 'idempotency-replayed': ['true'] }

test('finds an item of a list that was not requested', () => {
  const path = '/data/wallet-balances?currency=UGX'
  expect(found(path, list({ currency: 'UGX' }))).toEqual([])
  expect(found(path, list({ currency: 'KES' }))).toEqual(['a list requested for currency UGX has an item with KES'])
  const providers = '/data/payment-providers?transaction_type=COLLECTION'
  expect(found(providers, list({ transaction_type: 'Payout' }))).toHaveLength(1)
})

test('finds a replay that was not requested', () => {
  expect(found('/', {}, { sent: { 'idempotency-key': '1' }, came: REPLAYED })).toEqual([])
  expect(found('/', {}, { came: REPLAYED })).toHaveLength(1)
})

test('finds a code in the body that is not the status', () => {
  expect(found('/', { code: 201 })).toEqual(['a reply 200 has the code 201 in its body'])
})
