import { expect, test } from 'vitest'
import { operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { api, json, malipo, newMerchant } = gateway

interface WalletRecord {
  readonly wallet_type: string
  readonly currency: string
  readonly available_balance: number
}
async function available(name: string, currency = 'UGX'): Promise<Record<string, number>> {
  const { wallets } = await json<{ wallets: WalletRecord[] }>(['wallet', 'show', name, '--currency', currency])
  return Object.fromEntries(wallets.map((wallet) => [wallet.wallet_type, wallet.available_balance]))
}

test('a deposit reaches the payout wallet with its reason, and the API shows it', async () => {
  const { public_key, secret_key } = await newMerchant()
  const booked = await json<{ transfer_id: number; wallets: WalletRecord[] }>([
    'wallet',
    'deposit',
    public_key,
    'kes',
    '1500.50',
    '--reason',
    'Bank transfer of 20 November',
  ])
  expect(booked.wallets).toContainEqual({
    wallet_type: 'MERCHANT_PAYOUT',
    currency: 'KES',
    available_balance: 1500.5,
    uncleared_balance: 0,
    reserve_balance: 0,
    actual_balance: 1500.5,
    held_balance: 0,
  })
  const shown = await json<{ operator_transfers: object[] }>(['wallet', 'show', public_key])
  expect(shown.operator_transfers).toEqual([
    expect.objectContaining({
      transfer_id: booked.transfer_id,
      kind: 'deposit',
      into: 'payout',
      currency: 'KES',
      amount: 1500.5,
      note: 'Bank transfer of 20 November',
    }),
  ])
  const { data } = (await (
    await api('/data/wallet-balances?currency=KES', { 'public-key': public_key, 'secret-key': secret_key })
  ).json()) as { data: { merchant_wallets: object[] } }
  expect(data.merchant_wallets).toContainEqual(
    expect.objectContaining({ wallet_type: 'MERCHANT_PAYOUT', available_balance: 1500.5, actual_balance: 1500.5 }),
  )
  const text = (await malipo(['wallet', 'show', public_key, '--currency', 'KES'])).out
  expect(text).toMatch(/^CURRENCY +WALLET +AVAILABLE +UNCLEARED +RESERVE +ACTUAL +HELD\n/)
  expect(text).toMatch(/KES +payout +1,500\.50 KES +0\.00 KES +0\.00 KES +1,500\.50 KES +0\.00 KES/)
})

test('moves money between the wallets and back, never more than there is', async () => {
  const { public_key } = await newMerchant()
  await malipo(['wallet', 'deposit', public_key, 'UGX', '1000'])
  const move = (amount: string, from: string, to: string) =>
    malipo(['wallet', 'transfer', public_key, 'UGX', amount, '--from', from, '--to', to])
  expect((await move('600', 'payout', 'collection')).out).toMatch(
    /^600 UGX moved from the payout to the collection wallet of Duka Moja \(transfer \d+\)\.\nAvailable now: collection 600 UGX, payout 400 UGX\.\n$/,
  )
  expect(await move('401', 'payout', 'collection')).toEqual({
    code: 1,
    out: '',
    err: 'malipo: the payout wallet of Duka Moja has 400 UGX available, less than 401 UGX; nothing was moved.\n',
  })
  expect((await move('600', 'collection', 'payout')).code).toBe(0)
  expect(await available(public_key)).toEqual({ MERCHANT_COLLECTION: 0, MERCHANT_PAYOUT: 1000 })
})

test('books a command that is typed twice once, and names the first', async () => {
  const { public_key } = await newMerchant()
  const deposit = ['wallet', 'deposit', public_key, 'UGX', '1000', '--reference', 'BANK-2026-11-20/17']
  const first = await json<{ transfer_id: number; reference: string }>([...deposit, '--reason', 'The first'])
  expect(first).toMatchObject({ reference: 'BANK-2026-11-20/17' })
  const inSmallLetters = deposit.map((word) => word.replace('BANK', 'bank'))
  const again = await malipo([...inSmallLetters, '--reason', 'Once more'])
  expect([again.code, again.out]).toEqual([1, ''])
  expect(again.err).toMatch(
    new RegExp(
      `^malipo: the reference BANK-2026-11-20/17 was used before: transfer ${first.transfer_id} of \\S+Z, 1000 UGX deposited into the payout wallet of Duka Moja \\(\\d+\\); nothing was booked\\.\n$`,
    ),
  )
  expect(await available(public_key)).toMatchObject({ MERCHANT_PAYOUT: 1000 })
  const { operator_transfers } = await json<{ operator_transfers: object[] }>(['wallet', 'show', public_key])
  expect(operator_transfers).toEqual([
    expect.objectContaining({ transfer_id: first.transfer_id, reference: 'BANK-2026-11-20/17', note: 'The first' }),
  ])
  expect((await malipo(['wallet', 'show', public_key])).out).toMatch(/ REFERENCE +NOTE\n.* BANK-2026-11-20\/17/)
})

test('names the reference, not a shortage, when a transfer of everything is repeated', async () => {
  const { public_key } = await newMerchant()
  await malipo(['wallet', 'deposit', public_key, 'UGX', '1000'])
  const transfer = ['wallet', 'transfer', public_key, 'UGX', '1000', '--from', 'payout', '--to', 'collection']
  const ends = await Promise.all([1, 2, 3].map(() => malipo([...transfer, '--reference', 'MOVE-ALL'])))
  expect(ends.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(ends.filter(({ err }) => err.includes('the reference MOVE-ALL was used before'))).toHaveLength(2)
  expect(await available(public_key)).toEqual({ MERCHANT_COLLECTION: 1000, MERCHANT_PAYOUT: 0 })
})

test('books one of four deposits at one moment under one reference', async () => {
  const { public_key } = await newMerchant()
  const deposit = ['wallet', 'deposit', public_key, 'UGX', '700', '--reference', 'AT-ONCE']
  const ends = await Promise.all([1, 2, 3, 4].map(() => malipo(deposit)))
  expect(ends.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(await available(public_key)).toMatchObject({ MERCHANT_PAYOUT: 700 })
})

test('refuses a used reference for another amount, currency, merchant or direction', async () => {
  const [{ public_key }, other] = [await newMerchant(), await newMerchant()]
  await malipo(['wallet', 'deposit', public_key, 'UGX', '1000', '--reference', 'USED-ONCE'])
  await malipo([
    'wallet',
    'transfer',
    public_key,
    'UGX',
    '300',
    '--from',
    'payout',
    '--to',
    'collection',
    '--reference',
    'USED-TOO',
  ])
  const refused = [
    ['deposit', public_key, 'UGX', '1001', '--reference', 'USED-ONCE'],
    ['deposit', public_key, 'KES', '1000', '--reference', 'USED-ONCE'],
    ['deposit', other.public_key, 'UGX', '1000', '--reference', 'USED-ONCE'],
    ['deposit', public_key, 'UGX', '300', '--reference', 'USED-TOO'],
    ['transfer', public_key, 'UGX', '300', '--from', 'collection', '--to', 'payout', '--reference', 'USED-TOO'],
    ['transfer', public_key, 'UGX', '1000', '--from', 'payout', '--to', 'collection', '--reference', 'USED-ONCE'],
  ]
  for (const args of refused) {
    const { code, out, err } = await malipo(['wallet', ...args])
    expect([code, out], args.join(' ')).toEqual([1, ''])
    expect(err).toMatch(
      /^malipo: the reference USED-(ONCE|TOO) was used before: transfer \d+ of \S+Z, (1000|300) UGX (deposited into the payout|moved into the collection) wallet of Duka Moja \(\d+\); nothing was booked\.\n$/,
    )
  }
  expect(await available(public_key)).toEqual({ MERCHANT_COLLECTION: 300, MERCHANT_PAYOUT: 700 })
  expect(await available(other.public_key)).toEqual({ MERCHANT_COLLECTION: 0, MERCHANT_PAYOUT: 0 })
})
