import { freePort } from '../testing/free-port.ts'
import { join } from 'node:path'
import { gatewayEnvironment } from './gateway-process.ts'
import { findBelow, start, temporaryFolder, untilAnswers } from './processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from './requests.ts'

export interface StartTimes {
  readonly coldMs: number
  readonly warmMs: number
}

const TIMEOUT_MS = 30_000

/**
 * From `npm start` to the first 200 of a provider lookup. Cold: no database yet, and no code compiled by an earlier
 * run. Warm: both are there. What the system keeps of files in memory is not emptied: that would need root and disturb
 * everybody else.
 */
export async function measureStart(): Promise<StartTimes> {
  const dataDir = await temporaryFolder()
  const coldMs = await startOnce(dataDir, { NODE_DISABLE_COMPILE_CACHE: '1' })
  await startOnce(dataDir, {}) // writes the compiled code
  return { coldMs, warmMs: await startOnce(dataDir, {}) }
}

async function startOnce(dataDir: string, env: Readonly<Record<string, string>>): Promise<number> {
  const port = await freePort()
  const child = start('npm', {
    args: ['start'],
    env: { ...gatewayEnvironment(port, dataDir), ...env },
    logFile: join(dataDir, 'npm-start.log'),
    signalTo: async (pid) => (await findBelow(pid, /cli\.ts serve/))?.pid,
  })
  const ms = await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, TIMEOUT_MS)
  await child.stop()
  return ms
}
