import { status } from '../../parts/receiver/replies.ts'
import { startReceiver, type Receiver } from '../../parts/receiver/server.ts'
import { pathOf } from './recorder.ts'

/** A merchant's server with configurable answers. */
export interface Merchant extends Pick<Receiver, 'url' | 'close'> {
  /** Statuses of the next answers on a path; then 200 again. */
  answer(path: string, ...statuses: number[]): void
}

export async function startMerchant(): Promise<Merchant> {
  const waiting = new Map<string, number[]>()
  const receiver = await startReceiver({ decide: ({ path }) => status(waiting.get(pathOf(path))?.shift() ?? 200) })
  return { ...receiver, answer: (path, ...statuses) => void waiting.set(path, statuses) }
}
