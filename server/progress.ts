/** An output that a person may read. */
interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Progress {
  /** Sets what is being done now. */
  at(what: string): void
  /** Removes the line before something else is printed. */
  clear(): void
}

/** People who wait for longer than this wonder whether the program hangs. */
const SHOWN_AFTER_MS = 2_000
const SHOWN_EVERY_MS = 500
const CLEAR_LINE = '\r\u001B[K'

/**
 * Shows one line on a terminal while an operation runs for longer than two seconds: what is being done, and for how
 * long. A pipe gets nothing.
 * @param terminal standard error, so that the result can be piped on
 */
export async function withProgress<T>(
  what: string,
  run: (progress: Progress) => Promise<T>,
  terminal: Terminal = process.stderr,
): Promise<T> {
  if (terminal.isTTY !== true) return run({ at: () => undefined, clear: () => undefined })
  const startedAt = performance.now()
  let [current, isShown] = [what, false]
  const show = (): void => {
    const seconds = Math.floor((performance.now() - startedAt) / 1_000)
    if (seconds * 1_000 < SHOWN_AFTER_MS) return
    isShown = true
    const line = `${current} … ${seconds} s`
    terminal.write(`${CLEAR_LINE}${line.slice(0, (terminal.columns ?? 80) - 1)}`)
  }
  const clear = (): void => {
    if (isShown) terminal.write(CLEAR_LINE)
    isShown = false
  }
  const timer = setInterval(show, SHOWN_EVERY_MS)
  timer.unref()
  try {
    return await run({ at: (next) => void (current = next), clear })
  } finally {
    clearInterval(timer)
    clear()
  }
}
