import { StorageBusy, StorageUnavailable } from '../actions/ports/store.ts'
import { maskText } from '../domain/masking/mask-text.ts'

/**
 * Runs `action` again and again with a pause between; an error is logged and does not end it.
 * @returns stops it and waits for the current run
 */
export function repeat(
  pauseMs: number,
  action: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()
  const run = () => {
    current = action()
      .then(() => undefined, onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, pauseMs)
      })
  }
  run()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await current
  }
}

const QUIET_MS = 5_000
const CAUSE_CHARACTERS_MAX = 1_000

/**
 * Logs errors of background jobs. While the database is unavailable everything fails many times a second with the same
 * message: one log line in five seconds is enough.
 */
export function errorLog(
  log: { error(fields: object, message: string): void; warn(fields: object, message: string): void },
  now: () => number = performance.now.bind(performance),
) {
  let quietUntil = 0
  return (error: unknown, job: string): void => {
    if (!(error instanceof StorageUnavailable))
      return log.error({ err: error }, `${job} failed, it will be tried again`)
    if (now() < quietUntil) return
    quietUntil = now() + QUIET_MS
    const what = error instanceof StorageBusy ? 'all connections to the database are in use' : 'the database is away'
    const { message } = (error.cause as Error | undefined) ?? {}
    log.warn({ ...(message !== undefined && { cause: maskText(message, CAUSE_CHARACTERS_MAX) }) }, `${what}: jobs wait`)
  }
}

/**
 * Reports the first of many at once, and collects those of the next `everyMs` into one report.
 * @param report gets the number of collected ones and the last of them
 */
export function inBursts<Thing>(
  everyMs: number,
  report: (count: number, last: Thing) => void,
  timers: { after(ms: number, then: () => void): unknown } = { after: (ms, then) => setTimeout(then, ms).unref() },
): (thing: Thing) => void {
  let gathered: { count: number; last: Thing } | undefined
  let isQuiet = true
  const end = (): void => {
    const reported = gathered
    gathered = undefined
    isQuiet = reported === undefined
    if (!reported) return
    report(reported.count, reported.last)
    timers.after(everyMs, end)
  }
  return (thing) => {
    gathered = { count: (gathered?.count ?? 0) + 1, last: thing }
    if (!isQuiet) return
    end()
  }
}
