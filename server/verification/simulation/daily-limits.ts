import { DAILY_WINDOW_MS, merchantPartMinor } from '../../domain/amount-limits.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { attemptsOf } from './attempts.ts'
import type { SimulatedGateway } from './gateway.ts'
import { DAILY_LIMIT, DAILY_LIMIT_SHARE } from './reference.ts'
import { HOUR } from './spans.ts'

/**
 * The amounts accepted for one number within 24 hours and not given back never exceed its limit. What its owner has
 * paid without being asked counts, but may itself exceed the limit, and so may late payments: that money has moved.
 */
export function dailyLimits({ world, reference }: SimulatedGateway, transactions: readonly Transaction[]): string[] {
  const startedByCustomer = new Set([...world.expected.keys()].flatMap((id) => [id, ...(world.attempts.get(id) ?? [])]))
  const counted = transactions
    .filter(({ status, type }) => status === 'COMPLETED' && type !== 'REFUND')
    .filter((one) => startedByCustomer.has(one.id) || attemptsOf(world, one).length === 0)
    .filter(({ id }) => !world.eventsOf(id).some(({ detail }) => detail.startsWith('FAILED')))
    .flatMap((transaction) => {
      const key = `${transaction.providerCode} ${transaction.type} ${transaction.account}`
      return [key, `${key} through merchant ${transaction.merchantId}`].map((one) => ({ key: one, transaction }))
    })
  const limitMinor = DAILY_LIMIT * reference.market.unitMinor
  const limitOf = (key: string): bigint =>
    key.includes('merchant') ? merchantPartMinor(limitMinor, DAILY_LIMIT_SHARE) : limitMinor
  return [...Map.groupBy(counted, ({ key }) => key)].flatMap(([key, rows]) => {
    const [unasked, accepted] = partition(
      rows.map(({ transaction }) => transaction),
      startedByCustomer,
    )
    const usedMinor = mostWithinADay(accepted, unasked)
    return usedMinor > limitOf(key) ? [`${key} has used ${usedMinor} of ${limitOf(key)}`] : []
  })
}

const partition = (transactions: readonly Transaction[], ids: ReadonlySet<bigint>) =>
  [transactions.filter(({ id }) => ids.has(id)), transactions.filter(({ id }) => !ids.has(id))] as const

/**
 * The most that payments accepted within 24 hours add up to: a schedule may last for longer. Of those that nobody asked
 * for, only those count that surely were counted at the last acceptance: the hour is for open commits and open pages.
 */
function mostWithinADay(accepted: readonly Transaction[], unasked: readonly Transaction[]): bigint {
  const sums = accepted.map(({ createdAt: last }) => {
    const before = accepted.filter(({ createdAt }) => isWithin(last, createdAt, 0, DAILY_WINDOW_MS))
    const paid = unasked.filter(({ finalAt }) => finalAt && isWithin(last, finalAt, HOUR, DAILY_WINDOW_MS - HOUR))
    return [...before, ...paid].reduce((sum, { amount }) => sum + amount.amountMinor, 0n)
  })
  return sums.reduce((most, sum) => (sum > most ? sum : most), 0n)
}

const isWithin = (last: Date, time: Date, fromMs: number, toMs: number): boolean =>
  last.getTime() - time.getTime() >= fromMs && last.getTime() - time.getTime() < toMs
