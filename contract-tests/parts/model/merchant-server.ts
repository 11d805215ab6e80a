import { fieldsOf } from '../../harness/json.ts'
import { OK, status } from '../receiver/replies.ts'
import { startReceiver } from '../receiver/server.ts'

/** A callback as the merchant got it. */
interface ReceivedCallback {
  readonly event: unknown
  readonly payload: Readonly<Record<string, unknown>>
}

/** It acknowledges every callback, and confirms every payout but those that it was told to reject. */
export interface MerchantServer {
  callbacksOf(reference: string): readonly ReceivedCallback[]
  /** How often it was asked whether it knows this payout. */
  handshakesOf(reference: string): number
  reject(reference: string): void
  isRejected(reference: string): boolean
  close(): Promise<void>
}

/** @returns undefined when the port is taken */
export async function startMerchantServer(port: number): Promise<MerchantServer | undefined> {
  const rejected = new Set<string>()
  const receiver = await startReceiver({
    port,
    decide: ({ method, reference = '' }) => (method === 'GET' && rejected.has(reference) ? status(404) : OK),
  }).catch(() => undefined)
  return (
    receiver && {
      // What cannot be read is about no payment; that it is malformed is for the receiver's part to say.
      callbacksOf: (reference) =>
        receiver
          .messagesOf(reference)
          .filter(({ method }) => method !== 'GET')
          .map(({ json }) => ({ event: fieldsOf(json).event, payload: fieldsOf(fieldsOf(json).payload) })),
      handshakesOf: (reference) => receiver.messagesOf(reference).filter(({ method }) => method === 'GET').length,
      reject: (reference) => void rejected.add(reference),
      isRejected: (reference) => rejected.has(reference),
      close: receiver.close,
    }
  )
}
