import { isFromMessage, type MessageOrder } from './message-fits-order.ts'
import { railOrder } from './rail-order.ts'
import { externalIdsIn } from './rail-references.ts'
import type { CallbackReading, Rail, RailKnowledge, RailReferences } from './ports/rail.ts'

export type Confirmation =
  /** The message claims a success, and nothing shows that the payment is this order's. */
  | { readonly is: 'unattributable' }
  | {
      readonly is: 'asked'
      readonly answer: RailKnowledge | undefined
      /** The answer is about a payment by an id that only the message gave. */
      readonly byMessageIds: boolean
      /** Ids of the message that the answer vouches for, if it says the same as the message. */
      readonly trustedIds: RailReferences
      /** The order has no id of its own to ask by: nobody but this message can ask again. */
      readonly onlyThisMessageCanRetry: boolean
    }

/**
 * Asks the operator about a message instead of believing it.
 *
 * Threat: anybody can forge a message that carries the external id of somebody else's payment. Asked by that id, the
 * operator would truthfully confirm a payment that is not this order's. So:
 *
 *  1. An id of the message is stored with the order already, and not from a message, or amount and account came along and
 *     were compared: the operator is asked by the ids of the message.
 *  2. Otherwise by the ids that are stored. An answer to that is about the order, whatever the message says.
 *  3. Otherwise the ids of the message are all there is. A claimed success is not attributable, and never booked. A claimed
 *     failure moves no money: it is accepted once the operator confirms it under that id.
 */
export async function confirmWithOperator(
  rail: Rail,
  message: CallbackReading,
  { transaction, names }: MessageOrder,
): Promise<Confirmation> {
  const order = railOrder(transaction, names)
  const askBy = async (ids: RailReferences): Promise<RailKnowledge | undefined> =>
    (await rail.ask([{ ...order, theirs: { ...order.theirs, ...ids } }]))[0]
  const byStoredIds = (answer: RailKnowledge | undefined, onlyThisMessageCanRetry = false): Confirmation => ({
    is: 'asked',
    answer,
    byMessageIds: false,
    trustedIds: {},
    onlyThisMessageCanRetry,
  })

  const { outcome, theirs } = message
  const ids = externalIdsIn(message)
  const sharesStoredId = Object.keys(theirs).some(
    (name) => names.theirs[name] === theirs[name] && !isFromMessage(names, name),
  )
  const wasCompared = message.amount !== undefined && message.account !== undefined
  if (sharesStoredId || wasCompared)
    return {
      is: 'asked',
      answer: await askBy(theirs),
      byMessageIds: !sharesStoredId && Object.keys(theirs).length > 0,
      trustedIds: ids,
      onlyThisMessageCanRetry: !sharesStoredId,
    }

  const ownAnswer = await askBy({})
  if (ownAnswer?.knows !== 'unreachable' || !outcome) return byStoredIds(ownAnswer)

  if (outcome.status === 'COMPLETED') return { is: 'unattributable' }
  const answer = await askBy(theirs)
  const isConfirmed = answer?.knows === 'outcome' && answer.outcome.status === 'FAILED'
  return isConfirmed
    ? { is: 'asked', answer, byMessageIds: true, trustedIds: ids, onlyThisMessageCanRetry: false }
    : byStoredIds(ownAnswer, true)
}
