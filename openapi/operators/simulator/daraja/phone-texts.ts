import type { Order } from '../world/order.ts'
import { spacedTime } from './nairobi-time.ts'
import { PAYOUT_RESULTS } from './contract.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'
import { resultCodeOf, STK_PUSH, stkDetails, stkText } from './stk-results.ts'

/** The prompt on the customer's phone. */
export const promptOf = (order: Order): { readonly title: string; readonly text: string } => ({
  title: 'M-PESA',
  text:
    `Do you want to pay KES ${order.amount} to ${SIMULATED_MERCHANT.name}, account ${order.externalId} ` +
    `(${stkDetails(order).description})? Enter your M-PESA PIN to confirm.`,
})

/** The text message after the outcome. */
export function messageOf(order: Order): string {
  const { kind, state, amount, receipts, settledAt, acceptedAt, externalId } = order
  const { name } = SIMULATED_MERCHANT
  if (state === 'failed') {
    const code = resultCodeOf(order)
    const text = kind === STK_PUSH ? stkText(code) : (PAYOUT_RESULTS[code] ?? `Result ${code}`)
    return `KES ${amount} were not moved (${name}): ${text}.`
  }
  const [receipt] = receipts
  const time = spacedTime(settledAt ?? acceptedAt)
  return order.direction === 'in'
    ? `${receipt} confirmed. KES ${amount} paid to ${name} for account ${externalId} on ${time}.`
    : `${receipt} confirmed. You have received KES ${amount} from ${name} on ${time}.`
}
