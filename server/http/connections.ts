import type { Server, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './rate-limit.ts'
import { ENVELOPE_HEADERS, failure } from './envelope.ts'

/**
 * A failure in the envelope, as the raw bytes of a reply that closes its connection: used where there is no request to
 * reply to.
 */
export const rawReply = (status: number, text: string, message: string, headers = ''): string =>
  rawText(`${status} ${text}`, ENVELOPE_HEADERS, JSON.stringify(failure(status, message).body), headers)

/** The same with any body. */
export function rawText(status: string, always: Readonly<Record<string, string>>, body: string, headers = ''): string {
  const lines = Object.entries(always).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n${headers}connection: close\r\n\r\n${body}`
}

/** Timeouts of a client connection. A slow client holds a descriptor, not a worker. */
export interface ConnectionTimes {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number
  /** To the end of its body. */
  readonly requestMs: number
  /** The interval at which the two timeouts above are checked. */
  readonly checkMs: number
  /** Idle timeout in both directions: the client does not read its reply. */
  readonly stillMs: number
  /** How long we wait for the other side to close after we have. */
  readonly lingerMs: number
}

/**
 * Node allows 60 s for the headers and 300 s for a request, checks every 30 s, and closes no connection that stands
 * still. A body has 64 KiB at most here, so a client that needs longer than this is broken or hostile.
 */
export const CONNECTION_TIMES: ConnectionTimes = {
  headersMs: 10_000,
  requestMs: 15_000,
  checkMs: 1_000,
  stillMs: 30_000,
  lingerMs: 1_000,
}

/** Limits of connections per client address. */
interface ConnectionBounds {
  readonly perAddressMax: number
  /** Trusted proxies carry the connections of all clients, so they are exempt. */
  readonly isProxy: (address: string) => boolean
  /** Called for the first connection that is refused. */
  readonly onRefused: () => void
}

/** This many refused connections get a reply with the reason; further ones are destroyed at once. */
const REFUSED_MAX = 64

const TOO_MANY = rawReply(
  429,
  'Too Many Requests',
  'Too many connections from this address: use those that are open, or close some',
  'retry-after: 1\r\n',
)

/**
 * Closes a connection after these bytes. The client may keep its half open, so the descriptor is released shortly
 * afterwards in any case. It is not released at once, because a reset would overtake the reply.
 */
export function endSoon(socket: Socket, bytes: string, lingerMs: number): void {
  const limit = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(limit)).end(bytes)
}

/** Limits the connections per address; the server never sees the refused ones. */
export function boundConnections(
  server: Server,
  { perAddressMax, isProxy, onRefused }: ConnectionBounds,
  lingerMs: number,
): void {
  const open = new Map<string, number>()
  let isReported = false
  // Replaces the listeners that would begin to read requests.
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket
    const count = address === undefined || isProxy(address) ? 0 : counted(open, networkOf(address), socket)
    if (count <= perAddressMax) {
      for (const listener of listeners) listener.call(server, socket)
      return
    }
    if (!isReported) onRefused()
    isReported = true
    if (count > perAddressMax + REFUSED_MAX) return void socket.destroy()
    socket.on('error', () => undefined).resume()
    endSoon(socket, TOO_MANY, lingerMs)
  })
}

/** Counts the connection. @returns how many connections the network has, including this one */
function counted(open: Map<string, number>, network: string, socket: Socket): number {
  const count = (open.get(network) ?? 0) + 1
  open.set(network, count)
  socket.once('close', () => {
    const left = (open.get(network) ?? 1) - 1
    if (left > 0) open.set(network, left)
    else open.delete(network)
  })
  return count
}

/** The replies that are still pending on each connection. */
export class PendingReplies {
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>()

  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const responses = this.#bySocket.get(socket) ?? new Set()
    this.#bySocket.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
  }

  /** In the order of their requests. */
  on(socket: Socket): readonly ServerResponse[] {
    return [...(this.#bySocket.get(socket) ?? [])]
  }
}

/** Resolves when all of these are sent or their clients are gone. */
export const closed = (responses: readonly ServerResponse[]): Promise<unknown> =>
  Promise.all(responses.map((response) => new Promise((resolve) => response.once('close', resolve))))
