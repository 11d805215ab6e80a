import { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

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
