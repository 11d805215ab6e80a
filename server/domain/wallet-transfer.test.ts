import { expect, test } from 'vitest'
import { walletTransfer } from './wallet-transfer.ts'

test('a transfer between wallets takes from one what it adds to the other', () => {
  const { kind, transactionId, entries } = walletTransfer(7n, 'UGX', 500n, { from: 'collection', to: 'payout' })
  expect([kind, transactionId]).toEqual(['wallet_transfer', undefined])
  expect(
    entries.map(({ account, amountMinor }) => [account.kind, account.merchantId, account.currency, amountMinor]),
  ).toEqual([
    ['collection_available', 7n, 'UGX', -500n],
    ['payout_available', 7n, 'UGX', 500n],
  ])
})

test('refuses a transfer of nothing, of less, or within one wallet', () => {
  for (const amountMinor of [0n, -1n])
    expect(() => walletTransfer(7n, 'UGX', amountMinor, { from: 'payout', to: 'collection' })).toThrow(
      new RangeError(`not an amount to move: ${amountMinor}`),
    )
  expect(() => walletTransfer(7n, 'UGX', 1n, { from: 'payout', to: 'payout' })).toThrow(
    new RangeError('from the payout wallet into itself'),
  )
})
