import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { WATCH } from '../../harness/watch/watch.ts'
import type { Fault } from './fault.ts'
import { DrillStopped, type RunPart, type Outcome, type Outcomes, type RunSettings } from './run.ts'

const WORKER = fileURLToPath(new URL('holder.ts', import.meta.url))

/** An order for a worker process; the fault by its name, because functions cannot be sent. */
export interface WorkerOrder extends Pick<RunSettings, 'seed' | 'contract'> {
  readonly part: string
  readonly fault: Pick<Fault, 'name' | 'group' | 'at'>
  readonly connection: Awaited<ReturnType<RunSettings['databases']['create']>>
}

/** A pool of worker processes that run parts against faults: one process alone uses one core. */
export interface DrillWorkers {
  readonly hold: RunPart
  close(): Promise<void>
}

export function startDrillWorkers(): DrillWorkers {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const begin = (): ChildProcess => {
    const holder = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
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

function answerOf(holder: ChildProcess, order: WorkerOrder, signal?: AbortSignal): Promise<Outcomes> {
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
