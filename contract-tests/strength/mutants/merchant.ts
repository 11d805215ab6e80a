import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathOf } from './recorder.ts'

/** A merchant's server, which answers as it is told. */
export interface Merchant {
  readonly url: string
  /** What the next requests to a path are answered; then 200 again. */
  answer(path: string, ...statuses: number[]): void
  close(): Promise<void>
}

export async function startMerchant(): Promise<Merchant> {
  const waiting = new Map<string, number[]>()
  const server = createServer((request: IncomingMessage, response) => {
    request.resume().on('end', () => response.writeHead(waiting.get(pathOf(request.url ?? ''))?.shift() ?? 200).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (path, ...statuses) => void waiting.set(path, statuses),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
