import { Server as HttpServer } from 'node:http'
import { connect, type AddressInfo, type Server } from 'node:net'

export interface ListeningServer {
  /** An HTTP server on this machine. */
  readonly url: string
  readonly port: number
  /** Closes open HTTP connections. */
  close(): Promise<void>
}

/** Starts a server. @param port 0 picks one @throws Error when the port is taken */
export async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<ListeningServer> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, 8192, resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if (server instanceof HttpServer) server.closeAllConnections()
      }),
  }
}

/** Whether anybody listens at a port of this machine. */
export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
