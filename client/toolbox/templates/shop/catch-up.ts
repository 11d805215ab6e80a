import type { Malipo } from '@malipo/client'
import type { OrderBook } from './orders.ts'
import { settle } from './settle.ts'

export interface Reader {
  readonly malipo: Malipo
  readonly orders: OrderBook
  readonly webhookSecret: string
}

/**
 * Books what callbacks told while the shop was away, from where it read last. To be run by a timer in production:
 * Malipo tries a callback for three days, then it is only found here.
 */
export async function catchUp({ malipo, orders, webhookSecret }: Reader): Promise<void> {
  for await (const { number, payload } of malipo.events.replay(webhookSecret, { after: orders.lastEvent })) {
    if ('transaction_type' in payload && payload.transaction_type !== 'REFUND') settle(orders, payload)
    orders.rememberEvent(number) // afterwards: what fails is read again
  }
}
