import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that systems give to whoever asks for any, the other end of a connection included. */
const PORTS = [20_000, 32_000] as const

/**
 * A port of the loopback interface that is free, and that nobody gets by chance before it is used: one that the system
 * had given out and got back was given to the next listener of the same test.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
