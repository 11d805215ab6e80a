import type { Order } from './order.ts'

/** The operator's book of orders, in order of arrival. */
export type Orders = ReturnType<typeof createOrders>

const keyOf = (kind: string, id: string): string => `${kind} ${id.toLowerCase()}`

export function createOrders() {
  const orders = new Map<string, Order>()
  const byMsisdn = new Map<string, Order[]>()
  return {
    add(order: Order): void {
      const key = keyOf(order.kind, order.id)
      if (orders.has(key)) throw new Error(`there is a ${order.kind} ${order.id} already`)
      orders.set(key, order)
      const others = byMsisdn.get(order.msisdn)
      if (others) others.push(order)
      else byMsisdn.set(order.msisdn, [order])
    },
    /** An id is unique per kind; upper and lower case are the same. */
    find: (kind: string, id: string): Order | undefined => orders.get(keyOf(kind, id)),
    all: (): readonly Order[] => [...orders.values()],
    of: (msisdn: string): readonly Order[] => byMsisdn.get(msisdn) ?? [],
  }
}
