import type { OwnGateway } from '../../harness/part.ts'
import type { Message } from '../../driver/merchant-server.ts'
import { nextWindow, type Subject, type Window } from './tracked-callback.ts'

/** So long before its window no message may come yet. */
const EARLY_MS = 250
/** Precision of the arrival time: its window is divided into so many parts. */
const PARTS = 4
/** A message counts as missing this long after its window. */
const LATE_MS = 1_000
const QUIET_MS = 30 * 3_600_000
const FIRST_STEPS_MS = [0, 1_000, 1_000, 1_000]
/** Of so many jittered waits, the extremes differ by more than this share of the largest jitter. */
const [WAITS_MIN, SPREAD_MIN] = [10, 0.1]

interface Progress {
  readonly subject: Subject
  /** Messages that had come at the last check. */
  seen: number
  isMissing: boolean
}

type MessagesOf = (subject: Subject) => readonly Message[]

/** Moves the clock from window to window, and checks the arrival time of each message. */
export async function playTries(own: OwnGateway, subjects: readonly Subject[], cameTo: MessagesOf): Promise<void> {
  const all = subjects.map((subject): Progress => ({ subject, seen: 0, isMissing: false }))
  const shares: number[] = []
  const pollAll = (): void => {
    for (const progress of all) shares.push(...poll(progress, cameTo(progress.subject), own.now().getTime()))
  }
  for (const ms of FIRST_STEPS_MS) await own.advance(ms)
  pollAll()
  for (;;) {
    const now = own.now().getTime()
    const moments = all.flatMap(({ subject, isMissing }) => {
      const window = isMissing ? undefined : nextWindow(subject.tracked, cameTo(subject))
      return window ? [nextMoment(window, now)] : []
    })
    if (moments.length === 0) break
    await own.advance(Math.min(...moments) - now)
    pollAll()
  }
  await own.advance(QUIET_MS)
  for (const { subject } of all) isQuiet(subject, cameTo(subject))
  areLonger(subjects, shares)
}

/** Judges new messages. @returns the share of its window that each wait took */
function poll(progress: Progress, came: readonly Message[], now: number): readonly number[] {
  const { subject, seen } = progress
  if (seen === 0 && came.length === 0) {
    miss(progress, 'the first did not come')
    return []
  }
  const shares = came.flatMap((message, index) => {
    const window = index < Math.max(seen, 1) ? undefined : nextWindow(subject.tracked, came.slice(0, index))
    return window ? [shareOf(subject, index, message, window)] : []
  })
  progress.seen = came.length
  const next = nextWindow(subject.tracked, came)
  if (next && now >= next.to + LATE_MS) miss(progress, `try ${came.length + 1} did not come`)
  return subject.tracked.kind === 'callback' ? shares : []
}

function miss(progress: Progress, what: string): void {
  if (progress.isMissing) return
  progress.isMissing = true
  const { driver, tracked } = progress.subject
  driver.hold('retries', false, `${tracked.name}: missing`, `${tracked.name}: ${what}`)
}

function shareOf({ driver, tracked }: Subject, index: number, { at }: Message, { from, to }: Window): number {
  const early = from - at.getTime()
  const what = `${tracked.name}: try ${index + 1} came ${Math.ceil(early / 1000)} s before its wait was over`
  driver.hold('retries', early <= 0, `${tracked.kind} ${index + 1} early`, what, `${tracked.kind} 2 early`)
  return -early / (to - from)
}

/** The jitter of a wait shows over many of them. */
function areLonger([first]: readonly Subject[], shares: readonly number[]): void {
  const spread = Math.max(...shares, 0) - Math.min(...shares, 1)
  const what = `each wait is a little longer by chance (docs, page "Verifying callbacks"), ${shares.length} waits were all equally long`
  first?.driver.hold('retries', shares.length < WAITS_MIN || spread >= SPREAD_MIN, 'by chance', what)
}

function nextMoment({ from, to }: Window, now: number): number {
  if (now < from - EARLY_MS) return from - EARLY_MS
  if (now < from) return from
  return now < to ? Math.min(now + (to - from) / PARTS, to) : to + LATE_MS
}

function isQuiet({ driver, tracked }: Subject, came: readonly Message[]): void {
  const what = `${tracked.name}: it came ${came.length} times, and ${tracked.times} times is all`
  driver.hold('retries', came.length <= tracked.times, `${tracked.kind} too often`, what)
}
