import type { OwnGateway } from '../../harness/part.ts'
import { nextDue, type Due, type History } from './schedule.ts'

/** The clock of the server under test, moved or waited for. */
export interface Timeline {
  now(): Date
  /** Until then, or until something has come. */
  moveTo(ms: number): Promise<void>
}

const POLL_MS = 50
/** How much later than promised something may come: other work was before it, or the host was too slow. */
export const slackMs = (payments: number): number => 3_000 + 100 * payments

/** A look so long before: what has come by then came too early. */
const TOO_EARLY_MS = 1_000

export const ownTimeline = (own: OwnGateway): Timeline => ({
  now: () => own.now(),
  moveTo: (ms) => own.advance(Math.max(ms - own.now().getTime(), 0)),
})

/** @param count how many messages have come */
export const realTimeline = (count: () => number): Timeline => ({
  now: () => new Date(),
  async moveTo(ms) {
    const before = count()
    while (Date.now() < ms && count() === before)
      await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, Math.max(ms - Date.now(), 0))))
  },
})

/** Moves on until all that has to come has come, looking just before and after. @returns what did not, by index */
export async function playOut(
  histories: () => readonly History[],
  timeline: Timeline,
): Promise<ReadonlyMap<number, Due>> {
  const overdue = new Map<number, Due>()
  const slack = slackMs(histories().length)
  await timeline.moveTo(timeline.now().getTime())
  for (;;) {
    const now = timeline.now().getTime()
    const moments = histories().flatMap((history, index) => {
      const due = overdue.has(index) ? undefined : nextDue(history)
      if (due && now > due.to + slack) overdue.set(index, due)
      return due && !overdue.has(index) ? [nextMoment(due, now)] : []
    })
    if (moments.length === 0) return overdue
    await timeline.moveTo(Math.min(...moments))
  }
}

function nextMoment({ from, to, stepMs }: Due, now: number): number {
  if (now < from - TOO_EARLY_MS) return from - TOO_EARLY_MS
  return now < to ? Math.min(Math.max(now, from) + stepMs, to) : now + 1_000
}
