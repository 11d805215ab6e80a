import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import type { Clock } from '../../actions/ports/clock.ts'
import { listen, type HostileServer } from '../../outbound/testing/hostile-network.ts'
import { INTERNET, SANDBOX_POLICY, type OutboundNetwork } from '../../outbound/outbound-guard.ts'
import { callbackTo, sampleSender } from './sample-callback.ts'

/** For deliveries that only the timeout ends. */
export const TIMEOUT_MS = 400
/** For deliveries that end sooner. */
export const PATIENT_MS = 60_000

/**
 * Replaces the timeout of deliveries by one that passes when the test says so: on a busy machine a real one may pass
 * before the request has arrived or the reply has begun.
 */
export function timeoutByHand(): { readonly pass: () => void } {
  const timeout = new AbortController()
  const original = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  onTestFinished(() => original.mockRestore())
  return { pass: () => timeout.abort(new DOMException('the test ends it', 'TimeoutError')) }
}

/** A server that closes when the test that started it ends. */
export const started = async (listening: Promise<HostileServer>): Promise<HostileServer> => {
  const server = await listening
  onTestFinished(() => server.stop())
  return server
}

/** A server that handles each connection with the given function once the request has begun to arrive. */
export const rawServer = (onRequest: (socket: Socket) => void): Promise<HostileServer> =>
  started(listen(createServer((socket) => socket.once('data', () => onRequest(socket)))))

export const every = (ms: number, socket: Socket, write: (count: number) => void): void => {
  let count = 0
  const timer = setInterval(() => write(++count), ms)
  onTestFinished(() => clearInterval(timer))
  socket.on('close', () => clearInterval(timer))
}

/**
 * Sends one callback there and closes the sender. Whatever the server does, no socket stays open, and vitest fails the
 * file on an unhandled rejection.
 */
export async function sendTo(
  server: HostileServer,
  {
    url = `http://127.0.0.1:${server.port}/callbacks`,
    network = INTERNET,
    timeoutMs = PATIENT_MS,
    ...more
  }: { url?: string; network?: OutboundNetwork; timeoutMs?: number; clock?: Clock } = {},
) {
  const sender = sampleSender({ policy: SANDBOX_POLICY, network, timeoutMs, ...more })
  const delivery = await sender.send(callbackTo(url))
  await sender.close()
  await expect.poll(() => server.connections()).toBe(0)
  return delivery
}
