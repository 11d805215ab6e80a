import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** `reply`: PostgreSQL commits and its reply is lost. `commit`: the COMMIT never reaches PostgreSQL. */
export type Cut = 'reply' | 'commit'

export interface CuttingProxy {
  readonly port: number
  /** How many commits have lost their connection so far. */
  cuts(): number
  /** Sets the fault for the next commits, this many. */
  cut(what: Cut, commits: number): void
  close(): Promise<void>
}

/** As `pg` sends it: a simple query with its length, its text and a zero byte. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

/**
 * A proxy between the gateway and PostgreSQL that breaks connections at the moment when the outcome of a commit is
 * unknown.
 */
export async function startCuttingProxy({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<CuttingProxy> {
  let what: Cut = 'reply'
  let cuts = 0
  let left = 0
  const sockets = new Set<Socket>()
  const server = createServer((gateway) => {
    const postgres = connect({ path: `${host}/.s.PGSQL.${port}` })
    for (const socket of [gateway, postgres]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    gateway.on('data', (chunk: Buffer) => {
      if (left === 0 || !chunk.includes(COMMIT)) return void postgres.write(chunk)
      left -= 1
      cuts += 1
      // The server still carries out what was sent before the connection ended.
      if (what === 'reply') postgres.end(chunk)
      else postgres.destroy()
      gateway.destroy()
    })
    postgres.on('data', (chunk: Buffer) => void (gateway.destroyed || gateway.write(chunk)))
    gateway.on('end', () => postgres.end())
    postgres.on('close', () => gateway.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    cut(next, commits) {
      what = next
      left = commits
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
