import type { RailKnowledge, RailReferences } from '../../actions/ports/rail.ts'
import type { Money } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { amountRead } from './amount.ts'
import { codeIn } from './calls.ts'
import { causeOf } from './codes.ts'
import type { Result } from './orders.ts'

/** What a question is about, to be found again in the answer. */
export interface Expected {
  readonly orderId: string
  readonly amount: Money
  readonly type: TransactionType
}

/** What the status query says of an order. An answer that is not about this order says nothing about it. */
export function readResult(result: Result, expected: Expected): RailKnowledge {
  const wrong = differenceTo(expected, result)
  if (wrong !== undefined) return { knows: 'unreachable', error: `MTN's answer has another ${wrong} than the order` }
  const outcome = outcomeIn(result, expected.type)
  if (outcome) return { knows: 'outcome', outcome, theirs: theirsIn(result) }
  return isInProgress(result.status)
    ? { knows: 'in_progress', theirs: theirsIn(result) }
    : { knows: 'unreachable', error: 'MTN answered a status that it does not document' }
}

function differenceTo({ orderId, amount }: Expected, result: Result): string | undefined {
  if (result.externalId.toLowerCase() !== orderId.toLowerCase()) return 'external id'
  if (result.currency !== amount.currency) return 'currency'
  return amountRead(result.amount, result.currency)?.amountMinor === amount.amountMinor ? undefined : 'amount'
}

/** SUCCESSFUL and FAILED are the only ones that MTN documents as final; a final status wins over any reason. */
export function outcomeIn({ status, reason }: Result, type: TransactionType): RailOutcome | undefined {
  if (status === 'SUCCESSFUL') return { status: 'COMPLETED' }
  if (status === 'FAILED') return { status: 'FAILED', ...causeOf(codeOf(reason), type) }
  return undefined
}

/** A bare text was observed, an object is documented: both are read. */
const codeOf = (reason: Result['reason']): string | undefined => (typeof reason === 'string' ? reason : codeIn(reason))

// CREATED and ONGOING are not documented. All that they do here is that MTN is asked again.
const IN_PROGRESS: ReadonlySet<string> = new Set(['PENDING', 'CREATED', 'ONGOING'])
const isInProgress = (status: string): boolean => IN_PROGRESS.has(status)

/** As MTN's reports name the movement of money; there once it has settled. */
export const theirsIn = ({ financialTransactionId }: Result): RailReferences =>
  financialTransactionId === undefined ? {} : { financialTransactionId }
