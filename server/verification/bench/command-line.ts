import { gatewayEnvironment, type GatewayProcess } from './gateway-process.ts'
import { runCommand } from '../testing/run-command.ts'
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
  const { code, out, err } = await runCommand([...withReason(args), '--json'], {
    ...process.env,
    ...gatewayEnvironment(port, dataDir),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
  if (code !== 0) throw new Error(`malipo ${args.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}
