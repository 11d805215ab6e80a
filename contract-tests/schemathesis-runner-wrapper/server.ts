import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { Environment, Start } from './options.ts'
import { endTree } from './processes.ts'
import { keyVariable } from './settings.ts'

const START_MS_MAX = 60_000
const STOP_MS_MAX = 10_000
const POLL_MS = 100

/** Whether a server answers anything at all. */
type ServerBehaviour = 'answers' | 'refuses' | 'hangs'

export async function probe(baseUrl: string, timeoutMs: number): Promise<ServerBehaviour> {
  return fetch(baseUrl, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' }).then(
    async (response) => (await response.body?.cancel(), 'answers' as const),
    (error: unknown) => (error instanceof Error && error.name === 'TimeoutError' ? 'hangs' : 'refuses'),
  )
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() =>
          typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
        )
      })
  })
}

/**
 * Starts a server by a shell command, with `PORT` and its keys in the environment. Stopping kills its process group.
 */
export const startCommand =
  (command: string, env: Environment): Start =>
  async ({ port, keys }) => {
    const keyEnv = Object.fromEntries(Object.entries(keys).map(([name, key]) => [keyVariable(name), key]))
    const child = spawn(command, {
      shell: true,
      env: { ...env, ...keyEnv, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)))
    const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
    const stop = async () => {
      endTree(child, 'SIGTERM')
      const late = setTimeout(() => endTree(child, 'SIGKILL'), STOP_MS_MAX)
      await exited
      clearTimeout(late)
    }
    const baseUrl = `http://127.0.0.1:${port}`
    for (const until = Date.now() + START_MS_MAX; Date.now() < until && child.exitCode === null;) {
      if ((await probe(baseUrl, 1_000)) === 'answers') return { baseUrl, stop }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    await stop()
    throw new Error(
      `the server did not start on port ${port}: ${said.trim().split('\n').at(-1) || 'it printed nothing'}`,
    )
  }
