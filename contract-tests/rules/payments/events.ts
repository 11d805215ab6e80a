import { faultIf, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { claimsIn, isFinal, nameOf, valueIn } from './claims.ts'

/** The failure code of whatever was cancelled, by its message. */
const CANCELLED: Readonly<Record<string, string>> = {
  'The customer cancelled the payment': 'cancelled',
  'Payout cancelled by the merchant': 'merchant_cancelled',
}

/** The event names the outcome, and only what failed or was cancelled has a failure code (schema Event, FailureCode). */
const eventJudge: Judge = (seen) =>
  claimsIn(seen).flatMap((claim) => {
    const { fields, source, about, isWhole } = claim
    const { transaction_status: status } = fields
    const kind = fields.transaction_type === 'REFUND' ? 'refund' : 'transaction'
    const outcome = `${kind}.${status === 'COMPLETED' ? 'completed' : 'failed'}`
    const has = `${source} of ${nameOf(claim)}, ${String(status)}, has`
    const code = CANCELLED[String(fields.status_message)]
    const isOver = status === 'FAILED' || status === 'CANCELLED'
    return [
      ...faultIf(
        'event' in fields && isFinal(status) && fields.event !== outcome,
        `event of ${source}`,
        `${has} the event ${valueIn(claim, 'event')}, not ${JSON.stringify(outcome)}`,
        about,
      ),
      ...faultIf(
        isWhole && code !== undefined && fields.failure_code !== code,
        `code of the cancelled in ${source}`,
        `${has} the failure_code ${valueIn(claim, 'failure_code')}, not ${JSON.stringify(code)}: ${String(fields.status_message)}`,
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
