import { BoundedMap } from '../bounded-map.ts'
import type { Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { faultsBetween } from './list-changes.ts'
import { listIn, type ListReading } from './list-readings.ts'

/** Each has its text. */
const LISTS_MAX = 2_000

/** The last two lists that differ, of one request: equal ones between are one reading that lasts. */
interface Readings {
  readonly before?: ListReading
  readonly last: ListReading
}

/**
 * A list equals the one before unless something has changed it: one that is different, or empty, between two equal ones
 * was wrong. The order of a list is stable, and a wallet never goes away.
 */
function steadyListJudge(): Judge {
  const known = new BoundedMap<string, Readings>(LISTS_MAX)
  return (seen) => {
    const now = listIn(seen)
    const { last, before } = (now && known.get(now.key)) ?? {}
    // Of two requests at a time, either may have been answered first.
    if (!now || (last && now.began <= last.ended)) return []
    const isSame = last?.text === now.text
    const previous = isSame ? before : last
    known.set(now.key, { ...(previous && { before: previous }), last: isSame ? { ...last, ended: now.ended } : now })
    return last && !isSame ? faultsBetween(before, last, now) : []
  }
}

export const steadyListsRule: Rule = {
  name: 'steady lists',
  reason: 'A list equals the one before, in the same order, unless something has changed it; a wallet stays.',
  plantedFault: 'wallet-list-empty-at-times',
  judging: () => ({ each: steadyListJudge() }),
}
