import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What happens in the moment of a commit, in which its outcome is open. */
export type CommitFault =
  /** PostgreSQL commits, and its answer is held back. */
  | { readonly what: 'reply stalled'; readonly ms: number }
  /** PostgreSQL commits and nobody hears of it. */
  | { readonly what: 'reply cut' }
  /** It never learns that it should. */
  | { readonly what: 'commit cut' }

export interface PlannedFault {
  /** How many commits are still to come. */
  left(): number
  /** The next commits are left alone. */
  end(): void
}

/** Stands between one process of the gateway and PostgreSQL. */
export interface DatabaseProxy {
  readonly port: number
  /** Holds every byte of every connection, both ways, for so long. */
  stall(ms: number): Promise<void>
  /** Resets every connection. @returns how many there were */
  cut(): number
  /** Plans what happens to the next so many commits. */
  disturbCommits(fault: CommitFault, commits: number): PlannedFault
  close(): Promise<void>
}

/** As `pg` sends it: a simple query of its own, its length, its text and a zero. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

interface Link {
  readonly gateway: Socket
  readonly postgres: Socket
  /** How many hold its bytes back: stalls may overlap. */
  stalls: number
}

/** @param socketPath the unix socket of PostgreSQL */
export async function startDatabaseProxy(socketPath: string): Promise<DatabaseProxy> {
  const links = new Set<Link>()
  let stalledAll = 0
  const planned = new Set<{ readonly fault: CommitFault; left: number }>()

  const server = createServer((gateway) => {
    const link: Link = { gateway, postgres: connect({ path: socketPath }), stalls: 0 }
    const { postgres } = link
    links.add(link)
    if (stalledAll > 0) for (let stall = 0; stall < stalledAll; stall += 1) hold(link)
    gateway
      .setNoDelay(true)
      .on('error', () => undefined)
      .on('close', () => end(link))
    postgres.on('error', () => undefined).on('close', () => end(link))
    gateway.on('data', (chunk: Buffer) => {
      const plan = [...planned].find(({ left }) => left > 0)
      if (!plan || !chunk.includes(COMMIT)) return void postgres.write(chunk)
      plan.left -= 1
      disturb(link, plan.fault, chunk)
    })
    postgres.on('data', (chunk: Buffer) => void (gateway.destroyed || gateway.write(chunk)))
    gateway.on('end', () => postgres.end())
  })

  function end(link: Link): void {
    links.delete(link)
    link.gateway.destroy()
    // What was sent before the end of a connection is still carried out.
    if (!link.postgres.writableEnded) link.postgres.destroy()
  }

  function hold(link: Link): void {
    link.stalls += 1
    link.gateway.pause()
    link.postgres.pause()
  }

  function letGo(link: Link): void {
    link.stalls -= 1
    if (link.stalls > 0 || link.gateway.destroyed) return
    link.gateway.resume()
    link.postgres.resume()
  }

  function disturb(link: Link, fault: CommitFault, chunk: Buffer): void {
    const { gateway, postgres } = link
    if (fault.what === 'commit cut') {
      postgres.destroy()
      gateway.resetAndDestroy()
    } else if (fault.what === 'reply cut') {
      postgres.end(chunk)
      gateway.resetAndDestroy()
    } else {
      postgres.write(chunk)
      hold(link)
      setTimeout(() => letGo(link), fault.ms)
    }
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stall(ms) {
      stalledAll += 1
      for (const link of links) hold(link)
      await new Promise((resolve) => void setTimeout(resolve, ms))
      stalledAll -= 1
      for (const link of links) letGo(link)
    },
    cut() {
      const cut = [...links]
      for (const { gateway, postgres } of cut) {
        postgres.destroy()
        gateway.resetAndDestroy()
      }
      return cut.length
    },
    disturbCommits(fault, commits) {
      const plan = { fault, left: commits }
      planned.add(plan)
      return { left: () => plan.left, end: () => void planned.delete(plan) }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const link of links) end(link)
      }),
  }
}
