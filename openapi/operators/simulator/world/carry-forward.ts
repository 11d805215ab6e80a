import { fromUnits, toUnits } from './decimal.ts'
import type { Entry } from './journal.ts'
import type { Order } from './order.ts'

type CarriedEntry = Extract<Entry, { entry: 'carried' }>

const keyOf = ({ kind, id }: Pick<Order, 'kind' | 'id'>): string => `${kind} ${id.toLowerCase()}`

/**
 * Drops orders accepted before a time and replaces them by one entry with their changes to the accounts.
 * @returns the positions of the dropped entries, and that entry; undefined when there are none
 */
export function carryForward(
  entries: readonly Entry[],
  before: Date,
): { readonly dropped: readonly number[]; readonly carried: CarriedEntry } | undefined {
  const old = new Map<string, Extract<Entry, { entry: 'taken' }>['order']>()
  const changes = new Map<string, bigint>()
  const dropped: number[] = []
  let movement = 0

  const change = (account: string, units: bigint): void =>
    void changes.set(account, (changes.get(account) ?? 0n) + units)

  for (const [place, entry] of entries.entries()) {
    if (entry.entry === 'carried') {
      movement = Math.max(movement, entry.movement)
      for (const [account, text] of Object.entries(entry.changes)) change(account, toUnits(text))
    } else if (entry.entry === 'taken') {
      if (new Date(entry.at) >= before) continue
      old.set(keyOf(entry.order), entry.order)
    } else {
      const order = old.get(keyOf(entry))
      if (!order) continue
      if (entry.entry === 'settled' && entry.movement !== undefined) {
        movement = Math.max(movement, entry.movement)
        const units = toUnits(order.amount)
        change(order.account, order.direction === 'in' ? units : -units)
      }
    }
    dropped.push(place)
  }
  if (old.size === 0) return undefined
  const written = [...changes].map(([account, units]): [string, string] => [account, fromUnits(units)])
  return { dropped, carried: { entry: 'carried', movement, changes: Object.fromEntries(written) } }
}
