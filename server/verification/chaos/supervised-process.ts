import { spawn, type ChildProcess } from 'node:child_process'
import { childEnv } from '../testing/child-env.ts'
import { CLI } from '../testing/run-command.ts'

const SKEWED_CLOCK = new URL('skewed-clock.ts', import.meta.url).href
const START_AGAIN_AFTER_MS = 200
const OUTPUT_MAX = 4_000
/** Output that is allowed at a start with a wrong clock. */
const CLOCK_WRONG = /clock/i
/** Output of a start without a database: a supervisor tries again. */
const DATABASE_AWAY =
  /cannot be reached|has no connection left|database is unavailable|[Cc]onnection terminated|terminating connection|ECONNRE|timeout/

interface SupervisedOptions {
  readonly name: string
  readonly role: string
  readonly env: Readonly<Record<string, string>>
  /** The clock offset of a process that is started now. */
  readonly offsetMs: () => number
  /** It exited by itself, for a reason other than an unavailable database at its start. */
  readonly onBroken: (what: string) => void
  /** Absent: it may start while the database is away. A process that nobody kills never does, and has no excuse. */
  readonly isNeverKilled?: boolean
}

interface SupervisedProcess {
  /** The current process, or the last one. */
  current(): ChildProcess
  kill(): void
  /** Whether any of its processes got that far. */
  hasStarted(): boolean
  stop(): Promise<void>
}

/** A process of the gateway; when it exits, another one is started, as a supervisor would. */
export function keepRunning({
  name,
  role,
  env,
  offsetMs,
  onBroken,
  isNeverKilled,
}: SupervisedOptions): SupervisedProcess {
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
    // It prints its URL, or that it works.
    launched.stdout?.once('data', () => {
      started = true
    })
    launched.on('error', () => undefined)
    // It may also have exited by itself, because PostgreSQL was away at its start.
    launched.on('close', (code, signal) => {
      if (stopping) return
      const wasAway = isNeverKilled !== true && DATABASE_AWAY.test(output())
      const isRefusal = wasAway || (offsetMs() !== 0 && CLOCK_WRONG.test(output()))
      if (killed !== launched && !isRefusal)
        onBroken(`${name} exited unexpectedly with ${code ?? signal}: ${output().trim()}`)
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

/** The end of its output. */
function lastOutputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr])
    stream?.on('data', (text: Buffer) => {
      output = (output + text.toString()).slice(-OUTPUT_MAX)
    })
  return () => output
}
