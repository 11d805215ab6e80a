import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { checkArgumentsOf, startProgram, type Shop } from './shop.ts'
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

/** Starts the built shop in development mode, so that `check` can read its effects. */
export async function startNextShop(folder: string, port: number, gatewayUrl?: string): Promise<Shop> {
  const environment = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    ...parseEnv(readFileSync(join(folder, '.env.development'), 'utf8')),
    ...(gatewayUrl !== undefined && { MALIPO_URL: gatewayUrl }),
  }
  const command = [process.execPath, 'node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'] as const
  const shop = await startProgram(folder, port, command, environment)
  return { ...shop, checkArguments: checkArgumentsOf(folder, shop.url) }
}
