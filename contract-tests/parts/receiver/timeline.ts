import type { OwnGateway } from '../../harness/part.ts'
import { nextDue, type DueMessage, type History } from './schedule.ts'

/** The clock of the server under test, moved or waited for. */
export interface Timeline {
  now(): Date
  /** Until then, or until a message arrives. */
  moveTo(ms: number): Promise<void>
}

const POLL_MS = 50
/** Tolerated lateness: other jobs ran first, or the host was too slow. */
export const slackMs = (payments: number): number => 3_000 + 100 * payments

/** The clock stops this long before a window: messages that have arrived by then are too early. */
const TOO_EARLY_MS = 500

export const ownTimeline = (own: OwnGateway): Timeline => ({
  now: () => own.now(),
  moveTo: (ms) => own.advance(Math.max(ms - own.now().getTime(), 0)),
})

/** @param count number of messages so far */
export const realTimeline = (count: () => number): Timeline => ({
  now: () => new Date(),
  async moveTo(ms) {
    const before = count()
    while (Date.now() < ms && count() === before)
      await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, Math.max(ms - Date.now(), 0))))
  },
})

/**
 * Advances until all expected messages have come, checking just before and after each window. @returns missing ones,
 * by index
 */
export async function playOut(
  histories: () => readonly History[],
  timeline: Timeline,
): Promise<ReadonlyMap<number, DueMessage>> {
  const overdue = new Map<number, DueMessage>()
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

function nextMoment({ from, to, stepMs }: DueMessage, now: number): number {
  if (now < from - TOO_EARLY_MS) return from - TOO_EARLY_MS
  if (now < from) return from
  return now < to ? Math.min(now + stepMs, to) : now + 1_000
}
