import { createHash } from 'node:crypto'
import { Painter } from '../paint.ts'
import { runToolbox } from '../run-toolbox.ts'
import type { Terminal } from '../terminal.ts'

/** A completed command. */
interface Run {
  readonly exitCode: number
  /** Its output, line by line. */
  readonly printed: readonly string[]
  readonly complained: readonly string[]
}

/** A terminal that records its output. */
export interface TestTerminal extends Terminal {
  readonly printed: string[]
  readonly complained: string[]
  /** Acts like Ctrl-C. */
  readonly end: () => void
}

/** A terminal that records its output, in a folder; the clock is the real one by default. */
export function testTerminal(folder: string, now: () => Date = () => new Date()): TestTerminal {
  const ending = new AbortController()
  const [printed, complained]: [string[], string[]] = [[], []]
  let counter = 0
  return {
    printed,
    complained,
    folder,
    columns: undefined,
    nodeVersion: process.version,
    gatewayUrl: undefined,
    shopUrl: 'http://127.0.0.1:3000',
    now,
    print: (line) => void printed.push(line),
    complain: (line) => void complained.push(line),
    paint: new Painter(false),
    // The same in every run, and never the same twice within one.
    randomBytes: (size) => createHash('sha512').update(`${folder}:${counter++}`).digest().subarray(0, size),
    ended: ending.signal,
    end: () => ending.abort(),
  }
}

/** Runs one command line until it exits. */
export async function run(args: readonly string[], folder: string, now?: () => Date): Promise<Run> {
  const terminal = testTerminal(folder, now)
  const exitCode = await runToolbox(args, terminal)
  return { exitCode, printed: terminal.printed, complained: terminal.complained }
}
