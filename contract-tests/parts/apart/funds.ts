import { mobilePayout } from '../../driver/bodies.ts'
import { payOut, verify } from '../../driver/merchant.ts'
import { payoutFunds } from '../../driver/payout-funds.ts'
import type { MerchantPair } from './merchant-pair.ts'

/** Limit of `mtn_ug` for one payment (docs, page "The sandbox"). */
const AMOUNT_MIN = 500
const AMOUNT_MAX = 3_000_000

/** A merchant with too little money is not paid for by the other one. */
export async function funds(pair: MerchantPair): Promise<void> {
  const [first = 0, second = 0] = await Promise.all(
    [pair.first, pair.second].map(async (merchant) => (await payoutFunds(merchant))?.get('UGX') ?? 0),
  )
  const [poor, lacking] = first < second ? [pair.first, first] : [pair.second, second]
  const amount = Math.max(Math.ceil(lacking), AMOUNT_MIN)
  // Both merchants together have enough; each alone, because of the charge, does not.
  if (amount > AMOUNT_MAX || Math.max(first, second) < 2 * amount)
    return void pair.skippedChecks.add(
      'both merchants have as much in their payout wallets: a payout that one alone cannot pay was not tried',
    )
  const reference = pair.reference('FUNDS')
  const body = mobilePayout({ merchant_reference: reference, account_number: pair.phone('001'), amount })
  const answer = await payOut(poor, body)
  if (answer.status !== 202) return
  await pair.settle([{ merchant: poor, reference }])
  const { data } = await verify(poor, reference)
  const { transaction_status: status, status_message: message } = data
  const isRefused = status === 'FAILED' && message === 'Insufficient balance for the transaction'
  const what = `a payout of ${amount} UGX, which ${poor.name} cannot pay and the other one could, is ${String(status)} "${String(message)}"`
  pair.hold('sendFunds', 'funds of another', !isRefused && what, [answer])
}
