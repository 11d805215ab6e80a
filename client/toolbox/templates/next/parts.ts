import { createMalipo, type Malipo } from '@malipo/client'
import { OrderBook } from '../shop/orders.ts'
import { readSettings, type Settings } from '../shop/settings.ts'

export interface Parts {
  readonly settings: Settings
  readonly malipo: Malipo
  readonly orders: OrderBook
}

let parts: Parts | undefined

/** Created at the first request: `next build` loads every route, and has no keys. */
export function shopParts(): Parts {
  if (parts) return parts
  const settings = readSettings()
  const { gatewayUrl: baseUrl, publicKey, secretKey, ordersFile } = settings
  parts = {
    settings,
    malipo: createMalipo({ baseUrl, publicKey, secretKey, timeoutMs: 10_000 }),
    orders: new OrderBook(ordersFile),
  }
  return parts
}
