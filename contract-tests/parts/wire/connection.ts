import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectSafe } from 'node:tls'
import { endsConnection, readReplies } from './replies.ts'
import type { WireCase } from './wire-case.ts'

export interface RawExchange {
  readonly received: Buffer
  /**
   * `close`: closed by the server or by us; `reset`: connection reset; `open`: nothing happened; `refused`: no connection.
   */
  readonly ended: 'close' | 'reset' | 'open' | 'refused'
}

export interface Line {
  readonly socket: Socket
  /** Resets the connection. */
  reset(): void
}

/** A raw connection to the server of a URL. */
export function open(url: URL): Line {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const plain = connectPlain({ host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) }).setNoDelay(
    true,
  )
  // A TLS server name is never an address (RFC 6066, section 3).
  const socket =
    url.protocol === 'https:'
      ? connectSafe({ socket: plain, host, ...(isIP(host) === 0 && { servername: host }) })
      : plain
  // Only the connection below TLS can be reset.
  return { socket, reset: () => void plain.resetAndDestroy() }
}

/** A client that takes its time, over a connection that is open already. */
interface SlowClient extends Line {
  /** Sent byte by byte, repeatedly; absent: nothing more. */
  readonly drip?: string | undefined
}
const DRIP_MS = 250

/**
 * Sends a case and reads until the connection has ended, so that a surplus reply is noticed as well. @param timeoutMs
 * absent: no limit @param slow absent: a new connection, whose client ends it after its replies
 */
export function converse(
  url: URL,
  { pieces, pauseMs, allowed, afterwards, bodiless }: WireCase,
  timeoutMs: number | undefined,
  slow?: SlowClient,
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const { socket, reset } = slow ?? open(url)
    const drip = slow?.drip
    let [connected, dripped] = [false, 0]
    let error: NodeJS.ErrnoException | undefined
    const finish = (ended: RawExchange['ended']) => {
      clearTimeout(timer)
      clearInterval(dripping)
      socket.destroy()
      resolve({ received: Buffer.concat(chunks), ended })
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => finish('open'), timeoutMs)
    const dripping =
      drip === undefined
        ? undefined
        : setInterval(() => socket.writable && socket.write(drip.charAt(dripped++ % drip.length)), DRIP_MS)

    async function send(): Promise<void> {
      connected = true
      for (const piece of pieces) {
        socket.write(piece)
        if (pauseMs !== undefined) await sleep(pauseMs)
      }
      if (afterwards === 'end') socket.end()
      if (afterwards === 'reset') socket.write('', reset)
    }
    socket.on('connect', () => void send())
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (slow) return
      const { replies, fault } = readReplies(Buffer.concat(chunks), bodiless)
      // Our side stays open until then: a server may drop replies that the client no longer waits for.
      if (fault === undefined && (replies.length >= allowed.length || replies.some(endsConnection))) socket.end()
    })
    socket.on('error', (reason) => {
      error = reason
    })
    socket.on('close', () => {
      // To a slow client a reply cut short by bytes in transit is a reply all the same; the judge sees whether it is
      // complete.
      const isReset = slow ? error !== undefined && chunks.length === 0 : error?.code === 'ECONNRESET'
      if (!connected) return finish('refused')
      finish(isReset ? 'reset' : 'close')
    })
  })
}
