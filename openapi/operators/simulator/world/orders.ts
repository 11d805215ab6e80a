import type { Order } from './order.ts'

/** The operator's book of orders, in order of arrival. */
export interface Orders {
  add(order: Order): void
  /** An id is unique per kind; upper and lower case are the same. */
  find(kind: string, id: string): Order | undefined
  all(): readonly Order[]
  of(msisdn: string): readonly Order[]
}

const keyOf = (kind: string, id: string): string => `${kind} ${id.toLowerCase()}`

export function createOrders(): Orders {
  const orders = new Map<string, Order>()
  const byMsisdn = new Map<string, Order[]>()
  return {
    add(order) {
      const key = keyOf(order.kind, order.id)
      if (orders.has(key)) throw new Error(`there is a ${order.kind} ${order.id} already`)
      orders.set(key, order)
      const others = byMsisdn.get(order.msisdn)
      if (others) others.push(order)
      else byMsisdn.set(order.msisdn, [order])
    },
    find: (kind, id) => orders.get(keyOf(kind, id)),
    all: () => [...orders.values()],
    of: (msisdn) => byMsisdn.get(msisdn) ?? [],
  }
}
