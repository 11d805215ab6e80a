import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral ports, which systems assign to listeners and clients that ask for any port. */
const PORTS = [20_000, 32_000] as const

/**
 * A free port of the loopback interface that no other socket gets by chance before it is used: a port that the system
 * had assigned and got back was assigned to the next listener of the same test.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (await isFree(port)) return port
  }
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
