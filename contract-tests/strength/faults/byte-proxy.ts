import { connect, createServer, type Socket } from 'node:net'
import { listen } from '../../harness/listen.ts'
import type { Proxy } from '../../harness/proxy.ts'

/** Changes the bytes of a connection, chunk by chunk. An empty text keeps the other side waiting. */
export interface ByteHooks {
  readonly fromClient?: (text: string) => string
  readonly fromServer?: (text: string) => string
}

/** A proxy that does not parse HTTP and so passes on what no other would: for faults with malformed requests. */
export async function startByteProxy(to: string, { fromClient, fromServer }: ByteHooks = {}): Promise<Proxy> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const gateway = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
    pipe(client, gateway, fromClient)
    pipe(gateway, client, fromServer)
    client.on('close', () => gateway.destroy())
    // Closed, not reset: data sent before the close may still be in transit.
    gateway.on('close', () => client.end())
    for (const socket of [client, gateway]) sockets.add(socket)
  })

  function pipe(from: Socket, to: Socket, change: (text: string) => string = (text) => text): void {
    // Latin 1 keeps every byte unchanged.
    from.on('data', (chunk: Buffer) => void to.write(change(chunk.toString('latin1')), 'latin1'))
    from.on('end', () => to.end())
    from.on('error', () => undefined)
    from.on('close', () => sockets.delete(from))
  }

  const listening = await listen(server)
  return {
    ...listening,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return listening.close()
    },
  }
}
