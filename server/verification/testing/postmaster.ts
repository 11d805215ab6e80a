import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The process of the PostgreSQL that works, or has worked, in a cluster's folder; undefined when there is none. */
export async function postmasterIn(cluster: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  return pid > 1 ? pid : undefined
}
