import { seededFractions } from '../../../server/verification/testing/seeded.ts'
import { present } from '../../harness/part.ts'

/** Choices of a seed; the order of the calls matters. */
export interface ScenarioDraw {
  /** From 0 to 1. */
  readonly random: () => number
  pick<Item>(items: readonly Item[]): Item
  /** A phone number that is new in this run. */
  phone(ending: string): string
  /** A bank account that is new in this run. */
  account(prefix: string, ending: string): string
  readonly amount: () => number
}

/** @param run different for every run against the same server: part of the numbers */
export function createDraw(seed: number, run: number): ScenarioDraw {
  const random = seededFractions(seed)
  const pick = <Item>(items: readonly Item[]): Item =>
    present(items[Math.floor(random() * items.length)], 'item to pick')
  let counter = run * 1_000
  return {
    random,
    pick,
    phone: (ending) => `2567${pick(['7', '8', '6'])}${String(counter++ % 10_000).padStart(4, '0')}${ending}`,
    account: (prefix, ending) => `${prefix}${String(counter++ % 100_000).padStart(5, '0')}${ending}`,
    amount: () => 500 + Math.floor(random() * 4_500),
  }
}
