import type { FailureCode } from '../domain/failure-code.ts'
import { promptsPhone, type Transaction } from '../domain/transaction.ts'
import type { Step } from './apply-reports.ts'
import type { Unit } from './ports/unit.ts'

/** The customer said no, or nothing. Other failures are not theirs: who approves without funds has answered. */
const DECLINES: ReadonlySet<FailureCode | undefined> = new Set(['declined', 'cancelled', 'expired'])

/**
 * Whether its prompt was declined or left unanswered. An order that was never sent has no id; what ends on the payment
 * page goes by another way, from PENDING.
 */
const isDecline = ({ from, to }: Step): boolean =>
  from === 'PROCESSING' && to.status === 'FAILED' && to.railOrderId !== undefined && DECLINES.has(to.failureCode)

/** What new final states say of prompts: declines begin a cool-down after a while, an approval ends their run. */
export async function countPromptDeclines(unit: Unit, steps: readonly Step[], now: Date): Promise<void> {
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
