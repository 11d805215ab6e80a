import type { Unit } from './ports/unit.ts'
import type { WorkItem } from './ports/work.ts'

/**
 * Which of the items are still ours, locked until commit. By token and not by row alone: a batch may hold two claims of
 * one row, one of which has lost it.
 */
export async function heldWork(unit: Unit, items: readonly WorkItem[]): Promise<(item: WorkItem) => boolean> {
  const held = new Set((await unit.holdWork(items)).map(nameOf))
  return (item) => held.has(nameOf(item))
}

const nameOf = ({ id, token }: WorkItem): string => `${id}:${token}`
