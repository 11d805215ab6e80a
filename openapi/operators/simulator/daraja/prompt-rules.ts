import type { Order } from '../world/order.ts'

const PROMPT_MS = 60_000
const SAME_AGAIN_MS = 120_000

/** Whether this phone had a prompt within the last minute. @param earlier orders of one phone */
export const isHeldBack = (earlier: readonly Order[], now: Date): boolean =>
  earlier.some((order) => order.asks && isWithin(order, PROMPT_MS, now))

/** Whether this customer had a prompt for the same amount and account within two minutes. */
export const isSameAgain = (
  earlier: readonly Order[],
  { account, amount }: Pick<Order, 'account' | 'amount'>,
  now: Date,
): boolean =>
  earlier.some(
    (order) =>
      order.asks && order.account === account && order.amount === amount && isWithin(order, SAME_AGAIN_MS, now),
  )

const isWithin = ({ acceptedAt }: Order, ms: number, now: Date): boolean => now.getTime() - acceptedAt.getTime() < ms
