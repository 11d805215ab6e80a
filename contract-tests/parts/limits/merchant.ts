import type { Target } from '../../harness/part.ts'
import { WEBHOOK_PATHS } from '../receiver/play.ts'
import { OK, type ReceiverReply } from '../receiver/replies.ts'
import { startReceiver, type Arrival, type Message } from '../receiver/server.ts'

/** The merchant's server: it answers yes unless a test sets another answer. */
export interface Merchant {
  answers(decide: (arrival: Arrival) => ReceiverReply): void
  messagesOf(reference: string): readonly Message[]
  close(): Promise<void>
}

/** @returns undefined when the target has no receiver */
export async function openShop({ receiver, own }: Target): Promise<Merchant | undefined> {
  if (!receiver) return undefined
  let decides: (arrival: Arrival) => ReceiverReply = () => OK
  const server = await startReceiver({
    port: receiver.port,
    paths: WEBHOOK_PATHS,
    now: () => own?.now() ?? new Date(),
    decide: (arrival) => decides(arrival),
  })
  return {
    answers: (decide) => {
      decides = decide
    },
    messagesOf: server.messagesOf,
    close: server.close,
  }
}
