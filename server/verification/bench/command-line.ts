import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gatewayEnvironment, type GatewayProcess } from './gateway-process.ts'
import { PROJECT_ROOT } from './processes.ts'
import { withReason } from '../testing/staff-reason.ts'

/**
 * Runs a command of `malipo` against the gateway's database, as staff would.
 * @returns its JSON
 * @throws when it exits with a code other than 0
 */
export async function malipo(
  { port, dataDir, databaseUrl }: GatewayProcess,
  ...args: readonly string[]
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['server/cli.ts', ...withReason(args), '--json'], {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      ...gatewayEnvironment(port, dataDir),
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    maxBuffer: 64_000_000,
  })
  return JSON.parse(stdout)
}
