import { faultIf, type Fault } from '../observed-exchange.ts'
import type { Judging, Rule } from '../rule.ts'
import { createPayments } from './payments.ts'
import { deviationsOf, type Deviation } from './wallet-moves.ts'
import { walletReading, type WalletReading } from './wallet-readings.ts'

/** Readings that are remembered of one stretch: the first one, and the last ones. */
const READINGS_MAX = 100
const SHOWN_MAX = 4

/** Between two readings, each wallet moves by its payments. @param own the public key of the merchant under test */
function balancesJudging(own: string | undefined): Judging {
  const payments = createPayments()
  let isWhole = true
  let readings: WalletReading[] = []
  let compared = 0
  const judge = (): readonly Fault[] => {
    const found = deviationsOf(readings, payments.all())
    compared += found.compared
    readings = []
    return faultIf(
      found.deviations.length > 0,
      'balances',
      `${found.deviations.slice(0, SHOWN_MAX).map(sentence(own)).join('; ')}. Contract, page "Money": a wallet moves by exactly total_credit of its completed collections and total_debit of its payouts, which is held shortly before PROCESSING; clearing and reserve do not change actual_balance, and staff moved nothing meanwhile`,
      'listWalletBalances',
    )
  }
  return {
    each: (seen) => {
      payments.follow(seen)
      const reading = isWhole ? walletReading(seen) : undefined
      if (reading) readings.push(reading)
      if (readings.length > READINGS_MAX) readings.splice(1, 1)
      return []
    },
    whole: (whole) => {
      isWhole = whole
      return judge()
    },
    end: () => {
      const faults = judge()
      return compared > 0 ? faults : { notJudged: 'no wallet was read twice while nothing was in flight' }
    },
  }
}

const sentence =
  (own: string | undefined) =>
  ({ merchant, name, before, after, moved, payments }: Deviation): string =>
    `${name}${own === undefined || own === merchant ? '' : ' of another merchant'} was ${before} and is ${after}; its ${payments} payments meanwhile moved it by ${moved} by their verify replies`

export const balancesRule: Rule = {
  name: 'balances',
  reason: 'Money is conserved: each wallet moves by exactly the totals of its payments.',
  plantedFault: 'payout-balance-off-in-rwf',
  judging: ({ isOnlyUser, accounts }) =>
    isOnlyUser ? balancesJudging(accounts[0]?.publicKey) : { notJudged: 'somebody else may use the wallet' },
}
