import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, isIP, type AddressInfo, type LookupFunction, type Server, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { OutboundNetwork } from './outbound-guard.ts'

/** For tests of what goes out to strangers: nothing here reaches beyond loopback. */

export interface Listening {
  readonly port: number
  readonly connections: () => Promise<number>
  readonly stop: () => Promise<void>
}

export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))),
    stop: () => new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    }),
  }
}

export const listenHttp = (listener: RequestListener): Promise<Listening> => listen(createHttpServer(listener))

/** A DNS of which each name gives its answers in turn, the last one again and again. */
export const answering = (answersOf: Readonly<Record<string, readonly (readonly string[])[]>>) => {
  const asked: string[] = []
  const lookup: OutboundNetwork['lookup'] = (hostname, _options, callback) => {
    const answers = answersOf[hostname]
    const answer = answers?.[Math.min(asked.filter((name) => name === hostname).length, answers.length - 1)]
    asked.push(hostname)
    setImmediate(() => (answer ? callback(null, answer.map((address) => ({ address, family: isIP(address) }))) : callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), [])))
  }
  return { asked, lookup }
}

type Connectable = Parameters<typeof buildConnector>[0] & { lookup: LookupFunction }

/**
 * A network on which every address is the loopback server at `port`. `dialled` lists the addresses that sockets would have gone to: for a name
 * it asks the guard's own lookup exactly as node:net does. https goes out without TLS, so that any address can be played.
 */
export function playedInternet(lookup: OutboundNetwork['lookup'], port: number): OutboundNetwork & { readonly dialled: string[] } {
  const dialled: string[] = []
  return {
    dialled,
    lookup,
    buildConnector: (options) => (target, callback) => {
      const dial = (addresses: readonly string[]) => {
        dialled.push(...addresses)
        const socket = connect(port, '127.0.0.1', () => callback(null, socket)).on('error', () => {})
      }
      if (isIP(target.hostname)) return dial([target.hostname])
      const { lookup: guarded } = options as Connectable
      guarded(target.hostname, { all: true }, (error, addresses) => {
        if (error) callback(error, null)
        else dial((addresses as { address: string }[]).map(({ address }) => address))
      })
    },
  }
}

/** As `playedInternet`, for http and through node:net itself: only what the guard's lookup gave is replaced, after it gave it. */
export function redirectedInternet(lookup: OutboundNetwork['lookup'], port: number): OutboundNetwork & { readonly dialled: string[] } {
  const dialled: string[] = []
  return {
    dialled,
    lookup,
    buildConnector: (options) => {
      const { lookup: guarded } = options as Connectable
      const toLoopback: LookupFunction = (hostname, lookupOptions, callback) => guarded(hostname, lookupOptions, (error, addresses) => {
        if (error) return callback(error, '', 0)
        dialled.push(...(addresses as { address: string }[]).map(({ address }) => address))
        callback(null, [{ address: '127.0.0.1', family: 4 }])
      })
      const connector = buildConnector({ ...options, lookup: toLoopback } as typeof options)
      return (target, callback) => connector({ ...target, port: String(port) }, callback)
    },
  }
}
