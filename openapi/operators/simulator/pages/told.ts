import type { Exchange } from '../world/exchanges.ts'
import type { Order } from '../world/order.ts'

// What the pages of the simulator tell as JSON.

export const orderReported = (order: Order) => ({
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

/** What tests of double charges look at: for which references of the merchant money moved more than once. */
export function ordersReported(orders: readonly Order[]) {
  const moved = new Map<string, number>()
  for (const { externalId, moved: times } of orders) moved.set(externalId, (moved.get(externalId) ?? 0) + times)
  return {
    orders: orders.map(orderReported),
    moved: [...moved.values()].reduce((sum, times) => sum + times, 0),
    moved_more_than_once: [...moved].filter(([, times]) => times > 1).map(([externalId]) => externalId),
  }
}

export const exchangeReported = (exchange: Exchange) => ({
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
