import type pg from 'pg'
import { databaseUrl } from '../gateway-process.ts'
import { freePort } from '../../testing/free-port.ts'
import { join } from 'node:path'
import { PROJECT_ROOT, start, untilAnswers, type Child } from '../processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from '../requests.ts'

export interface PeerServer extends Child {
  readonly port: number
}

/** Starts the peer with its log in a file, like the gateway's. `--bare`: neither log nor request id. */
export const startFastifyAjv = (folder: string, ...options: readonly '--bare'[]): Promise<PeerServer> =>
  startPeer(folder, options, {})

/** The same, but it also answers verify requests from the database of a gateway. */
export const startFastifyWithPostgres = (folder: string, connection: pg.PoolConfig): Promise<PeerServer> =>
  startPeer(folder, [], { DATABASE_URL: databaseUrl(connection) })

async function startPeer(
  folder: string,
  options: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<PeerServer> {
  const port = await freePort()
  const child = start(process.execPath, {
    args: [join(PROJECT_ROOT, 'server/verification/bench/peers/fastify-ajv.ts'), String(port), ...options],
    env: { NODE_ENV: 'production', ...env },
    logFile: join(folder, 'fastify.log'),
  })
  await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, 30_000)
  return { ...child, port }
}
