import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { checkArgumentsOf } from './shop.ts'
import { run } from './terminal.ts'

/**
 * Writes a Next shop outside the project, installs its dependencies with npm, and builds it.
 * @returns its folder
 */
export async function installNextShop(clientTarball: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-next-shop-'))
  const { exitCode, complained } = await run(
    ['new', 'shop', folder, '--framework', 'next', '--client', `file:${clientTarball}`],
    tmpdir(),
  )
  if (exitCode !== 0) throw new Error(complained.join('\n'))
  const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: environment,
    stdio: 'pipe',
  })
  execFileSync('npm', ['run', 'build'], { cwd: folder, env: environment, stdio: 'pipe' })
  return folder
}

/** A running shop, and what `check` must know about it. */
interface RunningShop {
  readonly checkArguments: readonly string[]
  readonly stop: () => Promise<void>
}

/** Starts the built shop in development mode, so that `check` can read its effects. */
export async function startNextShop(folder: string, port: number): Promise<RunningShop> {
  const url = `http://127.0.0.1:${port}`
  const environment = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    ...parseEnv(readFileSync(join(folder, '.env.development'), 'utf8')),
    SHOP_URL: url,
    PORT: String(port),
  }
  const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'], {
    cwd: folder,
    env: environment,
    stdio: 'ignore',
  })
  const isOpen = async () =>
    (await fetch(`${url}/dev/effects`).then(
      ({ status }) => status,
      () => 0,
    )) === 200
  for (let tries = 0; !(await isOpen()); tries++) {
    if (tries > 300 || child.exitCode !== null) {
      child.kill('SIGKILL')
      throw new Error('the Next shop did not open')
    }
    await sleep(200)
  }
  return {
    checkArguments: checkArgumentsOf(folder, url),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}
