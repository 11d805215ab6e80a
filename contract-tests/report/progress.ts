import { printable } from '../../server/admin/cli/output.ts'
import type { Finding, PartResult } from '../harness/part.ts'
import { counted } from './print.ts'

interface ProgressOptions {
  readonly write: (text: string) => void
  /** Whether a line can be overwritten. */
  readonly isTerminal: boolean
  /** In milliseconds, of a monotonic clock. */
  readonly now: () => number
  /** Calls repeatedly, until the returned function is called. */
  readonly every: (ms: number, call: () => void) => () => void
}

const TERMINAL_MS = 250
const PLAIN_MS = 20_000
const CLEAR = '\r\u001b[K'

/** A line per part that counts on a terminal; elsewhere a plain line at intervals; and one when the part has ended. */
export function createProgress({ write, isTerminal, now, every }: ProgressOptions) {
  let [part, startedAt, exchanges] = ['', 0, 0]
  let stop = (): void => undefined
  const line = (): string => `${part}: ${exchanges} exchanges after ${Math.round((now() - startedAt) / 1000)} s`
  return {
    begin(name: string): void {
      ;[part, startedAt, exchanges] = [name, now(), 0]
      stop = every(isTerminal ? TERMINAL_MS : PLAIN_MS, () => write(isTerminal ? `${CLEAR}${line()}` : `${line()}\n`))
    },
    /** A request or a message passed a recorder. */
    exchange(): void {
      exchanges += 1
    },
    end({ part: name, status, durationMs, findings }: PartResult): void {
      stop()
      const [first] = findings
      const found = first ? `, ${counted(findings.length, 'finding')}: ${inShort(first)}` : ''
      write(`${isTerminal ? CLEAR : ''}${name}: ${status} after ${(durationMs / 1000).toFixed(1)} s${found}\n`)
    },
  }
}

const SHORT_MAX = 200
/** On one line. The words of a server must not be executed as a workflow command, which GitHub finds anywhere in it. */
const inShort = ({ about, what }: Finding): string =>
  printable(`${about}: ${what}`).replaceAll('##[', '## [').slice(0, SHORT_MAX)

/** On standard error, by the clock of this machine. */
export const progressHere = () =>
  createProgress({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    now: () => performance.now(),
    every: (ms, call) => {
      const timer = setInterval(call, ms).unref()
      return () => clearInterval(timer)
    },
  })
