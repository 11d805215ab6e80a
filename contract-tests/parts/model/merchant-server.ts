import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { fieldsOf, jsonOf } from '../../harness/json.ts'

/** A callback as the merchant got it. */
export interface ToldCallback {
  readonly event: unknown
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * The merchant's server: it acknowledges every callback, and confirms every payout but those that it was told to
 * reject.
 */
export interface MerchantServer {
  callbacksOf(reference: string): readonly ToldCallback[]
  /** How often it was asked whether it knows this payout. */
  handshakesOf(reference: string): number
  reject(reference: string): void
  isRejected(reference: string): boolean
  close(): Promise<void>
}

/** @returns undefined when the port is taken */
export async function startMerchantServer(port: number): Promise<MerchantServer | undefined> {
  const callbacks = new Map<string, ToldCallback[]>()
  const handshakes = new Map<string, number>()
  const rejected = new Set<string>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reference = new URL(request.url ?? '/', 'http://localhost').searchParams.get('reference')
    if (request.method === 'GET' && reference !== null) {
      handshakes.set(reference, (handshakes.get(reference) ?? 0) + 1)
      response.writeHead(rejected.has(reference) ? 404 : 200).end()
      return
    }
    const callback = await readCallback(request)
    const about = String(callback.payload.merchant_reference)
    callbacks.set(about, [...(callbacks.get(about) ?? []), callback])
    response.writeHead(200).end()
  }
  const server = createServer((request, response) => void answer(request, response))
  const listens = await new Promise<boolean>((resolve) =>
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
  )
  if (!listens) return undefined
  return {
    callbacksOf: (reference) => callbacks.get(reference) ?? [],
    handshakesOf: (reference) => handshakes.get(reference) ?? 0,
    reject: (reference) => void rejected.add(reference),
    isRejected: (reference) => rejected.has(reference),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What cannot be read is about no payment; that it is malformed is for the receiver's part to say. */
async function readCallback(request: IncomingMessage): Promise<ToldCallback> {
  const { event, payload } = fieldsOf(jsonOf(await text(request)))
  return { event, payload: fieldsOf(payload) }
}
