import { StorageUnavailable } from '../actions/ports/store.ts'
import type { WorkItem } from '../actions/ports/work.ts'
import type { Claims } from './claims.ts'
import type { Lane, LaneSurroundings } from './lane.ts'

/** How long an item that fails waits before its next try: it doubles with every failure. */
const PUT_ASIDE_MS = { first: 5_000, max: 60 * 60_000 }
const REASON_MAX = 500

/** 5 s, 10 s, 20 s … an hour. */
export const putAsideMs = (failures: number): number =>
  Math.min(PUT_ASIDE_MS.first * 2 ** Math.min(failures, 20), PUT_ASIDE_MS.max)

/**
 * @param among how many ran together: a whole batch may fail because of one
 * @param run what failed, for some of them
 */
export type AfterFailure = (
  error: unknown,
  items: readonly WorkItem[],
  among: number,
  run: (items: readonly WorkItem[]) => readonly Promise<void>[],
) => Promise<void>

/**
 * One bad item must not hold its batch: the halves are run again by themselves, until the bad one has run alone and is
 * put aside. The database away is no item's fault: then all of them are given back.
 */
export function createAfterFailure(
  lane: Lane,
  { queue, clock, reasonOf, onError, onPutAside }: LaneSurroundings,
  leave: Claims['leave'],
): AfterFailure {
  const afterFailure: AfterFailure = async (error, items, among, run) => {
    onError(error, lane.kind)
    if (error instanceof StorageUnavailable) return leave(items)
    const [item] = items
    if (among === 1 && item) return putAside(error, item)
    if (items.length === 1) return runAgain(items, run)
    const middle = Math.ceil(items.length / 2)
    for (const half of [items.slice(0, middle), items.slice(middle)]) await runAgain(half, run)
  }

  async function runAgain(items: readonly WorkItem[], run: Parameters<AfterFailure>[3]): Promise<void> {
    const results = await Promise.allSettled(run(items))
    for (const [index, result] of results.entries()) {
      if (result.status !== 'rejected') continue
      await afterFailure(result.reason, partOf(items, results.length, index), items.length, run)
    }
  }

  async function putAside(error: unknown, item: WorkItem): Promise<void> {
    const until = new Date(clock.now().getTime() + putAsideMs(item.failures))
    try {
      await queue.putAside(item, until, reasonOf(error).slice(0, REASON_MAX))
      onPutAside(error, item)
    } catch (failure) {
      onError(failure, lane.kind)
      leave([item])
    }
  }

  return afterFailure
}

/** Whose promise it is: that of one item, where each has its own, else that of all. */
export const partOf = (items: readonly WorkItem[], promises: number, index: number): readonly WorkItem[] =>
  promises === items.length ? items.slice(index, index + 1) : items
