import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { track } from './processes.ts'
import type { ReceiverOrder, ReceiverReport } from './receiver-worker.ts'

export interface BenchReceiver {
  readonly url: string
  report(): Promise<ReceiverReport>
  stop(): Promise<void>
}

/** Starts a merchant's server as a process of its own, so that neither the gateway nor the bench pays for it. */
export async function startReceiver(order: ReceiverOrder): Promise<BenchReceiver> {
  const worker = fork(join(import.meta.dirname, 'receiver-worker.ts'), { detached: true })
  const child = track(worker)
  const { port } = await request(worker, order)
  return { url: `http://127.0.0.1:${port}/callbacks`, report: () => request(worker, {}), stop: () => child.stop() }
}

const request = (worker: ChildProcess, message: object): Promise<ReceiverReport> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the receiver ended with ${code}`))
    worker.once('exit', ended)
    worker.once('message', (report) => {
      worker.off('exit', ended)
      resolve(report as ReceiverReport)
    })
    worker.send(message)
  })
