import { Option, type Command } from 'commander'
import type { Role } from '../config.ts'
import { describeLeaf } from './command.ts'

export function define(command: Command): void {
  describeLeaf(command, 'PORT=0 malipo serve --role all')
    .addOption(new Option('--role <role>', 'what this process does: accept requests, work on them, or both').choices(['all', 'api', 'worker']).default('all'))
    .action(async ({ role, json }: { role: Role; json?: true }) => {
      const { readProcessConfig } = await import('../config.ts')
      const config = readProcessConfig()
      const { runServer } = await import('./run-server.ts')
      await runServer(config, { role, json: json ?? false })
    })
}
