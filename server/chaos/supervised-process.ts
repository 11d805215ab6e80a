import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { childEnv } from '../testing/child-env.ts'

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))
const SKEWED_CLOCK = new URL('skewed-clock.ts', import.meta.url).href
const START_AGAIN_AFTER_MS = 200
const OUTPUT_MAX = 4_000
/** What a start may say whose clock is wrong. */
const CLOCK_WRONG = /clock/i
/** What a start says that found no database: a supervisor tries again. */
const DATABASE_AWAY =
  /cannot be reached|has no connection left|database is unavailable|[Cc]onnection terminated|terminating connection|ECONNRE|timeout/

export interface SupervisedOptions {
  readonly name: string
  readonly role: string
  readonly env: Readonly<Record<string, string>>
  /** By how much the clock of a process that is started now is wrong. */
  readonly offsetMs: () => number
  /** It ended by itself, for another reason than a database that was away while it started. */
  readonly onBroken: (what: string) => void
  /** Absent, it may be: one that nobody kills never starts while the database is away, and has no excuse. */
  readonly isNeverKilled?: boolean
}

export interface Supervised {
  /** The process that runs now, or ran last. */
  current(): ChildProcess
  kill(): void
  /** Whether any of its processes came so far. */
  hasStarted(): boolean
  stop(): Promise<void>
}

/** A process of the gateway; when it ends another is started, as a supervisor would. */
export function keepRunning({ name, role, env, offsetMs, onBroken, isNeverKilled }: SupervisedOptions): Supervised {
  let killed: ChildProcess | undefined
  let stopping = false
  let started = false
  let child = launch()

  function launch(): ChildProcess {
    const launched = spawn(
      process.execPath,
      ['--import', `${SKEWED_CLOCK}?offset=${offsetMs()}`, CLI, 'serve', '--role', role],
      { env: { ...childEnv(), ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    )
    const output = lastOutputOf(launched)
    // It tells where it answers, or that it works.
    launched.stdout?.once('data', () => {
      started = true
    })
    launched.on('error', () => undefined)
    // It may also have ended by itself, because PostgreSQL was away while it started.
    launched.on('close', (code, signal) => {
      if (stopping) return
      const wasAway = isNeverKilled !== true && DATABASE_AWAY.test(output())
      const isRefusal = wasAway || (offsetMs() !== 0 && CLOCK_WRONG.test(output()))
      if (killed !== launched && !isRefusal)
        onBroken(`${name} ended by itself with ${code ?? signal}: ${output().trim()}`)
      setTimeout(() => {
        if (!stopping) child = launch()
      }, START_AGAIN_AFTER_MS)
    })
    return launched
  }

  return {
    current: () => child,
    kill() {
      killed = child
      child.kill('SIGKILL')
    },
    hasStarted: () => started,
    async stop() {
      stopping = true
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL'))
    },
  }
}

/** The end of what it has said. */
function lastOutputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr])
    stream?.on('data', (text: Buffer) => {
      output = (output + text.toString()).slice(-OUTPUT_MAX)
    })
  return () => output
}
