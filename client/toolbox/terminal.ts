import { randomBytes } from 'node:crypto'
import { Painter } from './paint.ts'

/** What the commands know of the world around them; tests bring their own. */
export interface Terminal {
  /** One line to standard output. */
  readonly print: (line: string) => void
  /** One line to standard error. */
  readonly complain: (line: string) => void
  readonly paint: Painter
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  /** The folder that relative paths start from. */
  readonly folder: string
  /** Ends commands that would go on for ever. */
  readonly ended: AbortSignal
}

/** The terminal of this process; Ctrl-C ends what is running. */
export function processTerminal(): Terminal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
    // https://no-color.org
    paint: new Painter(process.stdout.isTTY && !process.env.NO_COLOR),
    now: () => new Date(),
    randomBytes: (size) => randomBytes(size),
    folder: process.cwd(),
    ended: ending.signal,
  }
}
