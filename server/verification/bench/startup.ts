import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from '../testing/free-port.ts'
import { join } from 'node:path'
import { gatewayEnvironment } from './gateway-process.ts'
import { findBelow, PROJECT_ROOT, start, temporaryFolder, untilAnswers } from './processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from './requests.ts'

export interface StartTimes {
  readonly coldMs: number
  readonly warmMs: number
}

const TIMEOUT_MS = 30_000

/**
 * From `npm start` to the first 200 of a provider lookup. Cold: no database and no compile cache but that of `npm ci`,
 * as
 * on a fresh clone. Warm: both exist from an earlier run. The page cache of the system is not dropped: that needs root
 * and
 * would disturb everybody else.
 */
export async function measureStart(): Promise<StartTimes> {
  const dataDir = await temporaryFolder()
  await promisify(execFile)(process.execPath, ['server/after-install.ts'], { cwd: PROJECT_ROOT })
  const coldMs = await startOnce(dataDir)
  return { coldMs, warmMs: await startOnce(dataDir) }
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort()
  const child = start('npm', {
    args: ['start'],
    env: gatewayEnvironment(port, dataDir),
    logFile: join(dataDir, 'npm-start.log'),
    signalTo: async (pid) => (await findBelow(pid, /cli\.ts serve/))?.pid,
  })
  const ms = await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, TIMEOUT_MS)
  await child.stop()
  return ms
}
