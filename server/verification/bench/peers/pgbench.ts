import { spawn } from 'node:child_process'
import { access, constants, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { CONNECTIONS } from '../load.ts'
import { track } from '../processes.ts'
import { COLUMNS, createPeerTable, VALUES } from './peer-row.ts'

/** Inserts per second, one comparable row per transaction, with as many clients as the gateway has connections. */
export interface InsertPeer {
  run(seconds: number): Promise<{ readonly perSecond: number }>
}

const MISSING = 'pgbench is missing: apt-get install postgresql-contrib (Debian, Ubuntu), brew install libpq (macOS)'
const CLIENTS = String(CONNECTIONS)
const THREADS = '2'

/**
 * Runs pgbench through the same socket into a table with the columns, checks and indexes of `transactions`.
 * @throws Error when this machine has no pgbench
 */
export async function createInsertPeer(
  connection: pg.PoolConfig,
  folder: string,
  client: pg.Client,
): Promise<InsertPeer> {
  const program = await findPgbench()
  if (!program) throw new Error(MISSING)
  await createPeerTable(client)
  const script = join(folder, 'bench-peer.sql')
  await writeFile(
    script,
    `\\set reference random(1, 9000000000000000000)\n\\set number random(1000000, 9999999)\ninsert into bench_peer (${COLUMNS}) values (${VALUES});\n`,
  )
  return { run: (seconds) => runPgbench(program, connection, script, seconds) }
}

async function findPgbench(): Promise<string | undefined> {
  const versions = Array.from({ length: 8 }, (_, index) => `/usr/lib/postgresql/${20 - index}/bin`)
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...versions]) {
    const program = join(folder, 'pgbench')
    if (
      await access(program, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return program
  }
  return undefined
}

async function runPgbench(
  program: string,
  connection: pg.PoolConfig,
  script: string,
  seconds: number,
): Promise<{ perSecond: number }> {
  const size = ['-n', '-M', 'prepared', '-c', CLIENTS, '-j', THREADS, '-T', String(seconds), '-f', script]
  const child = spawn(program, size, {
    env: {
      ...process.env,
      PGHOST: present(connection.host, 'the host of PostgreSQL'),
      PGPORT: String(connection.port),
      PGUSER: present(connection.user, 'the user of PostgreSQL'),
      PGDATABASE: present(connection.database, 'the database of PostgreSQL'),
      PGPASSWORD: String(connection.password),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  track(child)
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  await new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject))
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
  const failed = Number(/failed transactions: (\d+)/.exec(output)?.[1] ?? 0)
  if (!(perSecond > 0) || failed > 0) throw new Error(`pgbench failed:\n${output.slice(-2000)}`)
  return { perSecond }
}
