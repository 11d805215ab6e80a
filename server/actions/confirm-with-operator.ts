import { isFromMessage, type MessageOrder } from './message-fits-order.ts'
import { queryOrderBy } from './rail-order.ts'
import { externalIdsIn } from './rail-references.ts'
import type { CallbackReading, Rail, RailKnowledge, RailReferences } from './ports/rail.ts'

export type Confirmation =
  /** The message claims a success, and nothing shows that the payment is this order's. */
  | { readonly is: 'unattributable' }
  | {
      readonly is: 'queried'
      readonly answer: RailKnowledge | undefined
      /** The answer is about a payment by an id that only the message gave. */
      readonly byMessageIds: boolean
      /** Ids of the message that the operator's answer confirms, if both say the same. */
      readonly trustedIds: RailReferences
      /** The order has no id of its own to query by: only this message can trigger another query. */
      readonly onlyThisMessageCanRetry: boolean
    }

/**
 * Queries the operator about a message instead of trusting the message.
 *
 * Threat: anybody can forge a message that carries the external id of somebody else's payment. Queried by that id, the
 * operator would truthfully confirm a payment that is not this order's. So:
 *
 *  1. An id of the message is already stored with the order, and not from a message, or the message had amount and
 *     account and both were compared: query by the ids of the message.
 *  2. Otherwise query by the stored ids, and by our own. An answer to that is about the order, whatever the message
 *     says. A message without ids adds nothing to query by: without an answer, it waits for one.
 *  3. Otherwise only the ids of the message are left. A claimed success is not attributable, and never booked. A
 *     claimed failure moves no money: it is accepted once the operator confirms it under that id.
 */
export async function confirmWithOperator(
  rail: Rail,
  message: CallbackReading,
  { transaction, names }: MessageOrder,
): Promise<Confirmation> {
  const queryBy = (ids: RailReferences): Promise<RailKnowledge | undefined> =>
    queryOrderBy(rail, { transaction, names }, ids)
  const byStoredIds = (answer: RailKnowledge | undefined, onlyThisMessageCanRetry = false): Confirmation => ({
    is: 'queried',
    answer,
    byMessageIds: false,
    trustedIds: {},
    onlyThisMessageCanRetry,
  })

  const { outcome, externalIds } = message
  const ids = externalIdsIn(message)
  const sharesStoredId = Object.keys(externalIds).some(
    (name) => names.externalIds[name] === externalIds[name] && !isFromMessage(names, name),
  )
  const wasCompared = message.amount !== undefined && message.account !== undefined
  if (sharesStoredId || wasCompared)
    return {
      is: 'queried',
      answer: await queryBy(externalIds),
      byMessageIds: !sharesStoredId && Object.keys(externalIds).length > 0,
      trustedIds: ids,
      onlyThisMessageCanRetry: !sharesStoredId,
    }

  const ownAnswer = await queryBy({})
  const hasIds = Object.keys(externalIds).length > 0
  if (ownAnswer?.knows !== 'unreachable' || !outcome || !hasIds) return byStoredIds(ownAnswer)

  if (outcome.status === 'COMPLETED') return { is: 'unattributable' }
  const answer = await queryBy(externalIds)
  const isConfirmed = answer?.knows === 'outcome' && answer.outcome.status === 'FAILED'
  return isConfirmed
    ? { is: 'queried', answer, byMessageIds: true, trustedIds: ids, onlyThisMessageCanRetry: false }
    : byStoredIds(ownAnswer, true)
}
