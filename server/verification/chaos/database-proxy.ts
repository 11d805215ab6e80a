import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '../../local/embedded-postgres/embedded-postgres.ts'
import { createLink, type CommitFault, type Link } from './database-link.ts'

interface PlannedFault {
  /** The number of planned faults still to come. */
  left(): number
  /** Cancels them: the next commits are left alone. */
  end(): void
}

/** A proxy between one process of the gateway and PostgreSQL. */
export interface DatabaseProxy {
  readonly port: number
  /** Holds every byte of every connection, both ways, for this long. */
  stall(ms: number): Promise<void>
  /**
   * Resets every connection.
   * @returns how many there were
   */
  cut(): number
  /** Plans a fault for each of the next commits, this many. */
  disturbCommits(fault: CommitFault, commits: number): PlannedFault
  close(): Promise<void>
}

/** @param connection the host is the folder of PostgreSQL's unix socket */
export async function startDatabaseProxy({ host, port }: Pick<Connection, 'host' | 'port'>): Promise<DatabaseProxy> {
  const path = join(host, `.s.PGSQL.${port}`)
  const links = new Set<Link>()
  let stalls = 0
  const planned = new Set<{ readonly fault: CommitFault; left: number }>()

  function faultOfCommit(): CommitFault | undefined {
    const plan = [...planned].find(({ left }) => left > 0)
    if (!plan) return undefined
    plan.left -= 1
    return plan.fault
  }

  const server = createServer((gateway) => {
    const link = createLink(gateway, connect({ path }), faultOfCommit, () => links.delete(link))
    links.add(link)
    for (let stall = 0; stall < stalls; stall += 1) link.hold()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stall(ms) {
      stalls += 1
      for (const link of links) link.hold()
      await new Promise((resolve) => void setTimeout(resolve, ms))
      stalls -= 1
      for (const link of links) link.letGo()
    },
    cut() {
      const cut = [...links]
      for (const link of cut) link.cut()
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
        for (const link of links) link.end()
      }),
  }
}
