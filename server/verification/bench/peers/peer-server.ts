import type pg from 'pg'
import { databaseUrl } from '../../testing/database-url.ts'
import { freePort } from '../../testing/free-port.ts'
import { join } from 'node:path'
import { PROJECT_ROOT, start, untilAnswers, type Child } from '../processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from '../requests.ts'

export interface PeerServer extends Child {
  readonly port: number
}

/**
 * Starts the peer with its log in a file, like the gateway's.
 * @param connection the database of a gateway, from which it also answers verify requests and accepts collections
 * @param env CALLBACK_URL and RAIL_DELAY_MS, with which it finishes whole payments
 */
export async function startFastify(
  folder: string,
  connection?: pg.PoolConfig,
  env: Readonly<Record<string, string>> = {},
): Promise<PeerServer> {
  const port = await freePort()
  const child = start(process.execPath, {
    args: [join(PROJECT_ROOT, 'server/verification/bench/peers/fastify-ajv.ts'), String(port)],
    env: { NODE_ENV: 'production', ...(connection && { DATABASE_URL: databaseUrl(connection) }), ...env },
    logFile: join(folder, 'fastify.log'),
  })
  await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, 30_000)
  return { ...child, port }
}
