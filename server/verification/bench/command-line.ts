import { join } from 'node:path'
import { runCommand } from '../testing/run-command.ts'
import { gatewayEnvironment, type GatewayProcess } from './gateway-process.ts'

/**
 * Runs a command of `malipo` against the gateway's database, as staff would.
 * @returns its JSON
 * @throws when it exits with a code other than 0
 */
export async function malipo(gateway: GatewayProcess, ...args: readonly string[]): Promise<unknown> {
  const { tree } = gateway
  const { code, out, err } = await runCommand(
    [...tree.commandOf(args), '--json'],
    { ...process.env, ...gatewayEnvironment(gateway) },
    join(tree.root, 'server/cli.ts'),
  )
  if (code !== 0) throw new Error(`malipo ${args.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}
