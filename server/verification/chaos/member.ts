import type { ChildProcess } from 'node:child_process'
import type { DatabaseProxy } from './database-proxy.ts'
import { keepRunning } from './supervised-process.ts'
import type { ClockMessage } from './skewed-clock.ts'

export type Role = 'api' | 'worker'

/** A slot for a process: whenever the process in it exits, another one replaces it. */
export interface Member {
  readonly name: string
  readonly role: Role
  /** Its URL; a worker has none. */
  readonly url: string
  /** The proxy between it and PostgreSQL. */
  readonly database: DatabaseProxy
  isPaused(): boolean
  isSkewed(): boolean
  kill(): void
  /** Pauses it for this long, like a machine that swaps or a frozen container, unless it is killed meanwhile. */
  pauseFor(ms: number): Promise<void>
  /** 0 is the true time. */
  setClock(offsetMs: number): void
}

interface MemberOptions {
  readonly name: string
  readonly role: Role
  readonly port: number
  readonly database: DatabaseProxy
  readonly env: Readonly<Record<string, string>>
  /** It exited by itself, for a reason other than an unavailable database at its start. */
  readonly onBroken: (what: string) => void
}

export interface StartedMember {
  readonly member: Member
  readonly url: string
  hasStarted(): boolean
  stop(): Promise<void>
}

/** Starts its process, and another one whenever that exits. */
export function startMember({ name, role, port, database, env, onBroken }: MemberOptions): StartedMember {
  let offsetMs = 0
  let paused: ChildProcess | undefined
  const url = `http://127.0.0.1:${port}`
  const supervised = keepRunning({ name, role, env, offsetMs: () => offsetMs, onBroken })
  return {
    member: {
      name,
      role,
      database,
      url,
      isPaused: () => paused !== undefined,
      isSkewed: () => offsetMs !== 0,
      kill: () => supervised.kill(),
      async pauseFor(ms) {
        const still = supervised.current()
        paused = still
        still.kill('SIGSTOP')
        await new Promise((resolve) => void setTimeout(resolve, ms))
        still.kill('SIGCONT')
        paused = undefined
      },
      setClock(newOffsetMs) {
        offsetMs = newOffsetMs
        const message: ClockMessage = { offsetMs }
        const child = supervised.current()
        // A process that has just been killed is restarted with the offset.
        if (child.connected) child.send(message, () => undefined)
      },
    },
    url,
    hasStarted: supervised.hasStarted,
    async stop() {
      await supervised.stop()
      await database.close()
    },
  }
}
