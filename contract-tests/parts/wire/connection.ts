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

/** Sends a case and reads until the connection has ended, so that a surplus reply is noticed as well. */
export function converse(
  url: URL,
  { pieces, pauseMs, allowed, afterwards, bodiless }: WireCase,
  timeoutMs: number,
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const { socket, reset } = open(url)
    let connected = false
    let error: NodeJS.ErrnoException | undefined
    const finish = (ended: RawExchange['ended']) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ received: Buffer.concat(chunks), ended })
    }
    const timer = setTimeout(() => finish('open'), timeoutMs)

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
      const { replies, fault } = readReplies(Buffer.concat(chunks), bodiless)
      // Our side stays open until then: a server may drop replies that the client no longer waits for.
      if (fault === undefined && (replies.length >= allowed.length || replies.some(endsConnection))) socket.end()
    })
    socket.on('error', (reason) => {
      error = reason
    })
    socket.on('close', () => {
      const end = error?.code === 'ECONNRESET' ? 'reset' : 'close'
      finish(connected ? end : 'refused')
    })
  })
}
