import type { Order } from '../world/order.ts'
import type { World } from '../world/world.ts'
import { compactTime } from './nairobi-time.ts'

/** Which payout a ConversationID of Daraja's belongs to. */
export interface Conversations {
  newId(): string
  open(conversationId: string, order: Order): void
  find(conversationId: string): Order | undefined
}

export function createConversations({ clock, chance }: Pick<World, 'clock' | 'chance'>): Conversations {
  const orders = new Map<string, Order>()
  return {
    newId: () => `AG_${compactTime(clock.now()).slice(0, 8)}_${chance.hex(10)}`,
    open: (conversationId, order) => void orders.set(conversationId, order),
    find: (conversationId) => orders.get(conversationId),
  }
}
