import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { WATCH } from '../../harness/watch/watch.ts'
import type { Fault } from './fault.ts'
import { DrillStopped, type RunPart, type Outcome, type Outcomes, type RunSettings } from './run.ts'

const HOLDER = fileURLToPath(new URL('holder.ts', import.meta.url))

/** What a holder is told to do; the fault by its name, because what plants it cannot be sent. */
export interface Order extends Pick<RunSettings, 'seed' | 'contract'> {
  readonly part: string
  readonly fault: Pick<Fault, 'name' | 'group' | 'at'>
  readonly connection: Awaited<ReturnType<RunSettings['databases']['create']>>
}

/** Processes that hold parts against faults, as many as are asked at a time: one alone uses one core. */
export interface Holders {
  readonly hold: RunPart
  close(): Promise<void>
}

export function startHolders(): Holders {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const begin = (): ChildProcess => {
    const holder = fork(HOLDER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    all.add(holder)
    holder.once('exit', () => all.delete(holder))
    return holder
  }
  return {
    async hold(part, { name, group, at }, { databases, seed, contract, signal }) {
      const connection = await databases.create()
      const holder = idle.pop() ?? begin()
      const fault = { name, group, ...(at && { at }) }
      const outcomes = await answerOf(holder, { part: part.name, fault, seed, contract, connection }, signal)
      if (holder.connected) idle.push(holder)
      return outcomes
    },
    close: async () => {
      await Promise.all(
        [...all].map(async (holder) => {
          const ended = new Promise((resolve) => void holder.once('exit', resolve))
          if (holder.connected) holder.disconnect()
          await ended
        }),
      )
    },
  }
}

function answerOf(holder: ChildProcess, order: Order, signal?: AbortSignal): Promise<Outcomes> {
  const { part, fault } = order
  const { promise, resolve, reject } = Promise.withResolvers<Outcomes>()
  const lost = (code: number | null): void => {
    const said = `the process that held it ended with ${code}`
    const outcome: Outcome = { fault: fault.name, part, verdict: 'no verdict', said, durationMs: 0 }
    resolve([outcome, { ...outcome, part: WATCH, through: part }])
  }
  const stop = (): void => reject(new DrillStopped('stopped'))
  const answered = (outcomes: unknown): void => resolve(outcomes as Outcomes)
  holder.once('message', answered).once('exit', lost)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  holder.send(order)
  return promise.finally(() => {
    holder.off('message', answered).off('exit', lost)
    signal?.removeEventListener('abort', stop)
  })
}
