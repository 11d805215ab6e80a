import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from '../../testing/free-port.ts'
import { join } from 'node:path'
import { gatewayEnvironment } from '../gateway-process.ts'
import { findBelow, PROJECT_ROOT, start, temporaryFolder, untilAnswers } from '../processes.ts'
import { API_HEADERS, PROVIDERS_PATH } from '../requests.ts'
import { median } from '../load.ts'
import { atMost, type Section } from '../section.ts'
import { TODAY } from '../tree.ts'

const ROUNDS = 3
const TARGETS = { coldMs: 2_000, warmMs: 2_000 }

export const startSection: Section = {
  name: 'start',
  what: `npm start, cold and warm, ${ROUNDS} times`,
  async run() {
    const starts: StartTimes[] = []
    for (let round = 0; round < ROUNDS; round += 1) starts.push(await measureStart())
    return {
      figures: [
        {
          name: 'npm start to the first 200, cold',
          ...atMost(TARGETS.coldMs, 'ms', median(starts.map(({ coldMs }) => coldMs))),
        },
        {
          name: 'npm start to the first 200, warm',
          ...atMost(TARGETS.warmMs, 'ms', median(starts.map(({ warmMs }) => warmMs))),
        },
      ],
      notes: [],
      raw: starts,
    }
  },
}

interface StartTimes {
  readonly coldMs: number
  readonly warmMs: number
}

const TIMEOUT_MS = 30_000

/**
 * From `npm start` to the first 200 of a provider lookup. Cold: no database and no compile cache but that of `npm ci`,
 * as on a fresh clone. Warm: both exist from an earlier run. The page cache of the system is not dropped: that needs
 * root and would disturb everybody else.
 */
async function measureStart(): Promise<StartTimes> {
  const dataDir = await temporaryFolder()
  await promisify(execFile)(process.execPath, ['server/after-install.ts'], { cwd: PROJECT_ROOT })
  const coldMs = await startOnce(dataDir)
  return { coldMs, warmMs: await startOnce(dataDir) }
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort()
  const child = start('npm', {
    args: ['start'],
    env: gatewayEnvironment({ port, dataDir, tree: TODAY }),
    logFile: join(dataDir, 'npm-start.log'),
    signalTo: async (pid) => (await findBelow(pid, /cli\.ts serve/))?.pid,
  })
  const ms = await untilAnswers(`http://127.0.0.1:${port}${PROVIDERS_PATH}`, API_HEADERS, child, TIMEOUT_MS)
  await child.stop()
  return ms
}
