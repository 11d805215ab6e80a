import { DAILY_WINDOW_MS, merchantPartMinor } from '../../domain/amount-limits.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { attemptsOf } from './attempts.ts'
import type { SimulatedGateway } from './gateway.ts'
import { DAILY_LIMIT, DAILY_LIMIT_SHARE } from './reference.ts'

/** The amounts accepted for one number within 24 hours and not given back never exceed its limit; late payments may. */
export function dailyLimits({ world, reference }: SimulatedGateway, transactions: readonly Transaction[]): string[] {
  const counted = transactions
    .filter(({ status, type }) => status === 'COMPLETED' && type !== 'REFUND')
    .filter((transaction) => attemptsOf(world, transaction).length === 0)
    .filter(({ id }) => !world.events.some((one) => one.transactionId === id && one.detail.startsWith('FAILED')))
    .flatMap((transaction) => {
      const key = `${transaction.providerCode} ${transaction.type} ${transaction.account}`
      return [key, `${key} through merchant ${transaction.merchantId}`].map((one) => ({ key: one, transaction }))
    })
  const limitMinor = DAILY_LIMIT * reference.market.unitMinor
  const limitOf = (key: string): bigint =>
    key.includes('merchant') ? merchantPartMinor(limitMinor, DAILY_LIMIT_SHARE) : limitMinor
  return [...Map.groupBy(counted, ({ key }) => key)].flatMap(([key, rows]) => {
    const usedMinor = mostWithinADay(rows.map(({ transaction }) => transaction))
    return usedMinor > limitOf(key) ? [`${key} has used ${usedMinor} of ${limitOf(key)}`] : []
  })
}

/** The most that payments accepted within 24 hours add up to: a schedule may last for longer. */
function mostWithinADay(transactions: readonly Transaction[]): bigint {
  const sums = transactions.map(({ createdAt: last }) =>
    transactions
      .filter(({ createdAt }) => createdAt <= last && last.getTime() - createdAt.getTime() < DAILY_WINDOW_MS)
      .reduce((sum, { amount }) => sum + amount.amountMinor, 0n),
  )
  return sums.reduce((most, sum) => (sum > most ? sum : most), 0n)
}
