import { MalipoError, redirects, WebhookVerificationError, type Malipo } from '@malipo/client'
import type { Order, OrderBook } from './orders.ts'
import { settle } from './settle.ts'

/**
 * The order of a customer who returns from the payment page, with its state in our own records; absent when the
 * address was not made by Malipo, or the order is not ours. The customer can arrive before the callback: then the shop
 * queries Malipo.
 */
export async function orderOfRedirect(
  url: string,
  { malipo, orders, signingKey }: { malipo: Malipo; orders: OrderBook; signingKey: string },
): Promise<Order | undefined> {
  const outcome = await redirects.verify(url, { signingKeys: signingKey }).catch((error: unknown) => {
    if (error instanceof WebhookVerificationError) return undefined
    throw error
  })
  const order = outcome && orders.find(outcome.merchant_reference)
  if (order?.state !== 'waiting') return order
  try {
    settle(orders, await malipo.transactions.verify(order.reference, { timeoutMs: 3_000, maxRetries: 0 }))
  } catch (error) {
    // Not known yet: the callback will report it.
    if (!(error instanceof MalipoError)) throw error
  }
  return orders.find(order.reference)
}
