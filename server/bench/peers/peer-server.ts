import { join } from 'node:path'
import { freePort, PROJECT_ROOT, start, untilAnswers, type Child } from '../processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from '../requests.ts'

export interface PeerServer extends Child {
  readonly port: number
}

export async function startFastifyAjv(): Promise<PeerServer> {
  const port = await freePort()
  const child = start(process.execPath, { args: [join(PROJECT_ROOT, 'server/bench/peers/fastify-ajv.ts'), String(port)], env: { NODE_ENV: 'production' } })
  await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, 30_000)
  return { ...child, port }
}
