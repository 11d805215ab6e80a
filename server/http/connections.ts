import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { rawReply } from './raw-reply.ts'
import { networkOf } from './rate-limit.ts'

/** How long a client gets for what; slow ones hold a descriptor, not a worker. */
export interface ConnectionTimes {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number
  /** To the end of its body. */
  readonly requestMs: number
  /** How often the two above are looked at. */
  readonly checkMs: number
  /** Nothing moves for so long, in either direction: the client does not take its reply. */
  readonly stillMs: number
  /** After our end, for the other side's. */
  readonly lingerMs: number
}

/** Far below Node's defaults and far above any honest client. */
export const CONNECTION_TIMES: ConnectionTimes = {
  headersMs: 10_000,
  requestMs: 15_000,
  checkMs: 1_000,
  stillMs: 30_000,
  lingerMs: 1_000,
}

/** How many connections a client address may have. */
export interface ConnectionBounds {
  readonly perAddressMax: number
  /** Proxies in front have the connections of everybody. */
  readonly isProxy: (address: string) => boolean
  /** Hears of the first connection that is refused. */
  readonly onRefused: () => void
}

/** So many more are told why they are refused; whoever comes after them is cut off. */
const REFUSED_MAX = 64

const TOO_MANY = rawReply(
  429,
  'Too Many Requests',
  'Too many connections from this address: use those that are open, or close some',
  'retry-after: 1\r\n',
)

/**
 * Ends a connection with these bytes. The other side may keep its half of it for as long as it likes: a moment later the
 * descriptor is given back all the same. Not at once, because a reset overtakes the reply.
 */
export function endSoon(socket: Socket, bytes: string, lingerMs: number): void {
  const limit = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(limit)).end(bytes)
}

/** Takes no more connections of one address than it may have: the server never sees the others. */
export function boundConnections(
  server: Server,
  { perAddressMax, isProxy, onRefused }: ConnectionBounds,
  lingerMs: number,
): void {
  const open = new Map<string, number>()
  let isTold = false
  // In the place of those who would begin to read requests.
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket
    const count = address === undefined || isProxy(address) ? 0 : counted(open, networkOf(address), socket)
    if (count <= perAddressMax) {
      for (const listener of listeners) listener.call(server, socket)
      return
    }
    if (!isTold) onRefused()
    isTold = true
    if (count > perAddressMax + REFUSED_MAX) return void socket.destroy()
    socket.on('error', () => undefined).resume()
    endSoon(socket, TOO_MANY, lingerMs)
  })
}

/** @returns how many connections the network has with this one */
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
