import { StorageUnavailable } from '../actions/ports/store.ts'

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

/**
 * Logs errors of background work. While the database is away everything fails many times a second with the same words:
 * once in five seconds is enough.
 */
export function errorLog(
  log: { error(fields: object, message: string): void; warn(fields: object, message: string): void },
  now: () => number = performance.now.bind(performance),
) {
  let quietUntil = 0
  return (error: unknown, what: string): void => {
    if (!(error instanceof StorageUnavailable))
      return log.error({ err: error }, `${what} failed, it will be tried again`)
    if (now() < quietUntil) return
    quietUntil = now() + QUIET_MS
    log.warn({ cause: (error.cause as Error | undefined)?.message }, 'the database is away: work waits')
  }
}
