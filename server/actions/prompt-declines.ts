import type { FailureCode } from '../domain/failure-code.ts'
import { promptsPhone, type Transaction } from '../domain/transaction.ts'
import type { Step } from './apply-reports.ts'
import type { AccountUsageWrites } from './ports/limits.ts'

/**
 * The customer declined or did not answer. Other failures do not count: a customer who approves without funds has
 * answered.
 */
const DECLINES: ReadonlySet<FailureCode | undefined> = new Set(['declined', 'cancelled', 'expired'])

/**
 * Whether the prompt was declined or left unanswered. An order that was never sent has no id. What ends on the payment
 * page does not come here: it ends from PENDING.
 */
const isDecline = ({ from, to }: Step): boolean =>
  from === 'PROCESSING' && to.status === 'FAILED' && to.railOrderId !== undefined && DECLINES.has(to.failureCode)

/** Updates the decline counts: declines start a cool-down after a while, an approval resets them. */
export async function countPromptDeclines(
  unit: Pick<AccountUsageWrites, 'addPromptDeclines' | 'endPromptDeclines'>,
  steps: readonly Step[],
  now: Date,
): Promise<void> {
  const prompts = steps.filter(({ to }) => promptsPhone(to))
  const approved = new Set<Transaction['account']>()
  const declined: Transaction[] = []
  for (const step of prompts.toReversed()) {
    if (step.to.status === 'COMPLETED') approved.add(step.to.account)
    else if (isDecline(step) && !approved.has(step.to.account)) declined.push(step.to)
  }
  if (approved.size > 0) await unit.endPromptDeclines([...approved])
  if (declined.length > 0) await unit.addPromptDeclines(declined, now)
}
