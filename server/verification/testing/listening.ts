import type { AddressInfo, Server, Socket } from 'node:net'

export interface Listening {
  readonly port: number
  /** As an HTTP server's, without a path. */
  readonly url: string
  /** Also ends its connections. */
  close(): Promise<void>
}

/** Starts an HTTP or a raw server on the loopback interface. @param port any free one by default */
export async function listening(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
