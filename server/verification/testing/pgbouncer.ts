import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDatabaseProxy } from '../chaos/database-proxy.ts'
import { isRoot } from '../../local/embedded-postgres/processes.ts'
import type { TestDatabase } from './database.ts'
import { freePort } from './free-port.ts'

/** A version like 1.21; undefined where PgBouncer is not installed. */
export function pgbouncerVersion(): { readonly text: string; readonly keepsStatements: boolean } | undefined {
  try {
    const [, text = '', minor = ''] = /PgBouncer (1\.(\d+)\S*)/.exec(execFileSync('pgbouncer', ['-V'], ON_PATH)) ?? []
    return { text, keepsStatements: Number(minor) >= 21 }
  } catch {
    return undefined
  }
}

/** Debian installs it in a folder of root's path. */
const ON_PATH = { encoding: 'utf8', env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } } as const
const NOBODY = 65_534

export interface Pgbouncer {
  readonly databaseUrl: string
  close(): Promise<void>
}

/**
 * Starts it in front of a test's database.
 * @param settings of pgbouncer.ini
 */
export async function startPgbouncer(
  { host, port, user, password, database }: TestDatabase['connection'],
  settings: Readonly<Record<string, string>>,
): Promise<Pgbouncer> {
  // It does not run as root, and as another user it cannot reach the socket.
  const proxy = await startDatabaseProxy({ host, port })
  const folder = await mkdtemp(join(tmpdir(), 'malipo-pgbouncer-'))
  const listening = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: String(listening),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }
  await writeFile(
    file,
    `[databases]\n${database} = host=127.0.0.1 port=${proxy.port} user=${user} password=${password}\n[pgbouncer]\n${Object.entries(
      own,
    )
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`,
    { mode: 0o600 },
  )
  const asNobody = isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot()) for (const path of [folder, file]) await chown(path, NOBODY, NOBODY)
  await chmod(folder, 0o700)
  const child = spawn('pgbouncer', [file], { env: ON_PATH.env, stdio: ['ignore', 'ignore', 'pipe'], ...asNobody })
  const exited = once(child, 'exit')
  let reported = ''
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${reported}`)))
    child.stderr.on('data', (chunk: Buffer) => {
      reported += chunk.toString()
      if (reported.includes('process up')) resolve()
    })
  })
  return {
    databaseUrl: `postgres://${user}@127.0.0.1:${listening}/${database}`,
    async close() {
      child.kill('SIGKILL')
      await exited
      await proxy.close()
      await rm(folder, { recursive: true })
    },
  }
}
