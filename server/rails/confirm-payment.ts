import type { UnrequestedPayment } from '../actions/ports/rail.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import { NoAnswer, NotSent } from './operator-errors.ts'
import type { Adapter } from './rail-kind.ts'

/** Clocks differ, and a list may be in the order of other times. */
const AROUND_MS = 3_600_000

/**
 * Looks for a payment that a message claims: by a query where the operator has one, else in its list of bookings. A
 * message alone proves nothing.
 * @returns the payment as the operator has booked it; undefined when it does not say so, or does not answer
 */
export async function confirmPayment(
  adapter: Pick<Adapter, 'queryPayment' | 'statement'>,
  claim: UnrequestedPayment,
  now: Date,
): Promise<UnrequestedPayment | undefined> {
  try {
    if (adapter.queryPayment) return await adapter.queryPayment(claim)
    const from = new Date(claim.paidAt.getTime() - AROUND_MS)
    let found: UnrequestedPayment | undefined
    // Read to its end: half of a list is none.
    for await (const line of adapter.statement?.(from, now) ?? [])
      if (line.reference === claim.receipt && line.direction === 'in') found ??= asBooked(claim, line)
    return found
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof NotSent) return undefined
    throw error
  }
}

/**
 * The payment as the operator has booked it. What the message says of its payer and reference is dropped: they decide
 * whose payment it is, and where it goes back to.
 */
export function asBooked(
  { receipt, paidAt }: UnrequestedPayment,
  { amount, account, ourReference }: Pick<StatementLine, 'amount' | 'account' | 'ourReference'>,
): UnrequestedPayment {
  return { receipt, paidAt, amount, ...(account && { account }), ...(ourReference && { reference: ourReference }) }
}
