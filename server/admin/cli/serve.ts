import { Option, type Command } from 'commander'
import type { Role } from '../../config.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { usedWrongly } from './errors.ts'

export function define(command: Command): void {
  describeLeaf(
    command,
    `PORT=0 ${MALIPO} serve --role all`,
    `DATABASE_URL=postgres://malipo:secret@db.internal/malipo ${MALIPO} serve --role worker`,
  )
    .addOption(
      new Option(
        '--role <role>',
        'what this process does: accept requests, run jobs, or both; one alone needs DATABASE_URL',
      )
        .choices(['all', 'api', 'worker'])
        .default('all'),
    )
    .action(async ({ role, json }: { role: Role; json?: true }) => {
      const { readProcessConfig } = await import('../../config.ts')
      const config = readProcessConfig()
      if (role !== 'all' && config.databaseUrl === undefined) throw usedWrongly(needsDatabaseUrl(role))
      const { runServer } = await import('./run-server.ts')
      await runServer(config, { role, json: json ?? false })
    })
}

/**
 * The embedded PostgreSQL serves only the process that starts it: no worker would ever see what an api process
 * accepted there.
 */
const needsDatabaseUrl = (role: Role): string =>
  `malipo: --role ${role} needs DATABASE_URL: api and worker processes share one PostgreSQL, and the embedded one belongs to a single process.\n` +
  'Set DATABASE_URL (postgres://user:password@host:5432/database), or unset --role to run both in one process.'
