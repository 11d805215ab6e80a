import { fieldsOf } from '../../harness/json.ts'
import { OK, status } from '../../driver/merchant-replies.ts'
import { startReceiver } from '../../driver/merchant-server.ts'

/** A callback as the merchant received it. */
interface ReceivedCallback {
  readonly event: unknown
  readonly payload: Readonly<Record<string, unknown>>
}

/** It acknowledges every callback, and confirms every payout except the rejected ones. */
export interface MerchantServer {
  callbacksOf(reference: string): readonly ReceivedCallback[]
  /** Number of handshakes for this payout. */
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
      // An unreadable message belongs to no payment; the part receiver reports that it is malformed.
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
