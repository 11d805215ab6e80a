import { connect, createServer, type AddressInfo } from 'node:net'

export interface TamperedWire {
  readonly url: string
  close(): Promise<void>
}

/**
 * Stands between the part and a server as a bare wire and changes the bytes of replies: for planted faults. One write
 * of the server is one call.
 */
export async function startTamperedWire(to: string, change: (bytes: Buffer) => Buffer): Promise<TamperedWire> {
  const { hostname, port } = new URL(to)
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const gateway = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    client.pipe(gateway)
    gateway.on('data', (bytes: Buffer) => client.write(change(bytes))).on('end', () => client.end())
    client.on('error', () => gateway.resetAndDestroy())
    gateway.on('error', () => client.resetAndDestroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
