import { faultIf, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { claimsIn, isFinal, nameOf, valueIn } from './claims.ts'

const BY_CUSTOMER = 'The customer cancelled the payment'

/** The event names the outcome, and only what failed or was cancelled has a failure code (schema Event, FailureCode). */
const eventJudge: Judge = (seen) =>
  claimsIn(seen).flatMap((claim) => {
    const { fields, source, about, isWhole } = claim
    const { transaction_status: status } = fields
    const outcome = status === 'COMPLETED' ? 'transaction.completed' : 'transaction.failed'
    const has = `${source} of ${nameOf(claim)}, ${String(status)}, has`
    const isOver = status === 'FAILED' || status === 'CANCELLED'
    return [
      ...faultIf(
        'event' in fields && isFinal(status) && fields.event !== outcome,
        `event of ${source}`,
        `${has} the event ${valueIn(claim, 'event')}, not ${JSON.stringify(outcome)}`,
        about,
      ),
      ...faultIf(
        fields.status_message === BY_CUSTOMER && fields.failure_code !== 'cancelled' && isWhole,
        `code of the cancelled in ${source}`,
        `${has} the failure_code ${valueIn(claim, 'failure_code')}, not "cancelled": the customer has cancelled it`,
        about,
      ),
      ...faultIf(
        fields.failure_code !== undefined && !isOver,
        `failure code of ${source}`,
        `${has} the failure_code ${valueIn(claim, 'failure_code')}: only what failed or was cancelled has one`,
        about,
      ),
    ]
  })

export const eventsRule: Rule = {
  name: 'events',
  reason: 'An event names the outcome of its transaction, and only what failed or was cancelled has a failure code.',
  plantedFault: 'failure-code-of-completed',
  judging: () => ({ each: eventJudge }),
}
