import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { listen, type HostileServer } from '../../outbound/testing/hostile-network.ts'
import { INTERNET, SANDBOX_POLICY, type OutboundNetwork } from '../../outbound/outbound-guard.ts'
import { callbackTo, sampleSender } from './sample-callback.ts'

/** For deliveries that only the timeout ends. */
export const TIMEOUT_MS = 400
/** The upper bound of their time on a busy machine; undici's own timeouts are minutes. */
export const AT_MOST_MS = TIMEOUT_MS + 10_000
/** For deliveries that end sooner. */
const PATIENT_MS = 10_000

/** A server that closes when the test that started it ends. */
export const started = async (listening: Promise<HostileServer>): Promise<HostileServer> => {
  const server = await listening
  onTestFinished(() => server.stop())
  return server
}

/** A server that handles each connection with the given function once the request has begun to arrive. */
export const rawServer = (onRequest: (socket: Socket) => void): Promise<HostileServer> =>
  started(listen(createServer((socket) => socket.once('data', () => onRequest(socket)))))

export const every = (ms: number, socket: Socket, write: () => void): void => {
  const timer = setInterval(write, ms)
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
  }: { url?: string; network?: OutboundNetwork; timeoutMs?: number } = {},
) {
  const sender = sampleSender({ policy: SANDBOX_POLICY, network, timeoutMs })
  const delivery = await sender.send(callbackTo(url))
  await sender.close()
  await expect.poll(() => server.connections()).toBe(0)
  return delivery
}
