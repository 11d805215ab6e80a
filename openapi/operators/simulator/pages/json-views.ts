import type { Exchange } from '../world/exchanges.ts'
import type { Order } from '../world/order.ts'

// The JSON views of the simulator's pages.

const orderView = (order: Order) => ({
  id: order.id,
  external_id: order.externalId,
  kind: order.kind,
  direction: order.direction,
  account: order.account,
  msisdn: order.msisdn,
  amount: order.amount,
  currency: order.currency,
  state: order.state,
  code: order.code ?? null,
  moved: order.moved,
  receipts: order.receipts,
  accepted_at: order.acceptedAt.toISOString(),
  expires_at: order.expiresAt.toISOString(),
  settled_at: order.settledAt?.toISOString() ?? null,
  history: order.history.map(({ at, text }) => ({ at: at.toISOString(), text })),
})

/** For tests of double charges: the merchant's references for which money moved more than once. */
export function orderViews(orders: readonly Order[]) {
  const moved = new Map<string, number>()
  for (const { externalId, moved: times, isUnrequested } of orders)
    if (!isUnrequested) moved.set(externalId, (moved.get(externalId) ?? 0) + times)
  return {
    orders: orders.map(orderView),
    moved: [...moved.values()].reduce((sum, times) => sum + times, 0),
    moved_more_than_once: [...moved].filter(([, times]) => times > 1).map(([externalId]) => externalId),
  }
}

export const exchangeView = (exchange: Exchange) => ({
  number: exchange.number,
  at: exchange.at.toISOString(),
  direction: exchange.direction,
  operation: exchange.operation ?? null,
  method: exchange.method,
  url: exchange.url,
  request_headers: exchange.requestHeaders,
  request_body: exchange.requestBody ?? null,
  status: exchange.status ?? null,
  response_body: exchange.responseBody ?? null,
  note: exchange.note ?? null,
  faults: exchange.faults,
})
