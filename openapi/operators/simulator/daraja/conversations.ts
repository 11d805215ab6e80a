import type { Order } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import { compactTime } from './nairobi-time.ts'
import { PAY_BUSINESS, PAY_OUT } from './payout-results.ts'
import type { ConversationIds } from './results.ts'

/** Finds the payment of one of its conversation ids, ours or Daraja's. */
export type Conversations = ReturnType<typeof createConversations>

export function createConversations({
  clock,
  chance,
  orders: book,
}: Pick<OperatorState, 'clock' | 'chance' | 'orders'>) {
  const orders = new Map<string, Order>()
  const newId = () => `AG_${compactTime(clock.now()).slice(0, 8)}_${chance.hex(10)}`
  return {
    newId,
    /** Of an order or a question that takes no id of the merchant's. */
    newIds: (): ConversationIds => ({ originatorConversationId: chance.uuid(), conversationId: newId() }),
    open: (conversationId: string, order: Order): void => void orders.set(conversationId, order),
    find: (conversationId: string): Order | undefined =>
      book.find(PAY_OUT, conversationId) ??
      book.find(PAY_BUSINESS, conversationId) ??
      // For orders that an earlier process accepted, only the order itself has it.
      orders.get(conversationId) ??
      book.all().find(({ details }) => details.conversationId === conversationId),
  }
}
