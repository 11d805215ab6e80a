import { freePort } from '../../testing/free-port.ts'
import { join } from 'node:path'
import { PROJECT_ROOT, start, untilAnswers } from '../processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from '../requests.ts'
import type { PeerServer } from './peer-server.ts'

/**
 * Starts Prism on the same contract as `npm run mock` does, with its log in a file like the gateway's. `silent`:
 * without log.
 */
export async function startPrism(folder: string, ...options: readonly 'silent'[]): Promise<PeerServer> {
  const port = await freePort()
  // With NODE_ENV=production Prism forks for its log; the comparison needs one process, like the others.
  const args = [
    join(PROJECT_ROOT, 'node_modules/.bin/prism'),
    'mock',
    join(PROJECT_ROOT, 'generated/openapi.json'),
    '--port',
    String(port),
    ...options.flatMap((level) => ['--verboseLevel', level]),
  ]
  const child = start(process.execPath, { args, env: { NODE_ENV: '' }, logFile: join(folder, 'prism.log') })
  await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, 30_000)
  return { ...child, port }
}
