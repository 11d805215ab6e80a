import { pino } from 'pino'
import { checkServer, type Config } from './config.ts'
import { openDatabase } from './embedded-postgres/database.ts'
import { preparedFolder } from './prepared-folder.ts'
import { safeError } from './safe-error.ts'
import type { CleanUp } from './start/foundation.ts'
import type { Gateway } from './start/gateway.ts'
import type { Surroundings } from './start/surroundings.ts'

export type { Gateway } from './start/gateway.ts'

/**
 * Starts the gateway: database, migrations, HTTP, work. @throws ConfigError, DataFolderError, WrongMode, why
 * DATABASE_URL cannot be used, or the listener's error (EADDRINUSE)
 */
export async function startGateway(config: Config, given: Partial<Surroundings> = {}): Promise<Gateway> {
  checkServer(config, given.role ?? 'all')
  const logger = given.logger ?? pino({ level: config.logLevel, serializers: { err: safeError } })
  const { role = 'all', stopSignal } = given
  const start = () => startOnce(config, { ...given, logger })
  if (config.databaseUrl === undefined) return start()
  const { startOnPrimary } = await import('./start/wait-for-primary.ts')
  return startOnPrimary(config, { logger, role, stopSignal }, start)
}

async function startOnce(
  config: Config,
  given: Pick<Surroundings, 'logger'> & Partial<Surroundings>,
): Promise<Gateway> {
  const { logger } = given
  const launched = Promise.withResolvers<void>()
  const opening = openDatabase({
    ...config,
    role: 'owner',
    onEvent: (event) => logger.debug(event, 'embedded PostgreSQL'),
    onLaunch: launched.resolve,
    ...(config.mode === 'sandbox' && { prepared: preparedFolder }),
  })
  // The rest is loaded while PostgreSQL starts, and no sooner: on a fresh machine either keeps a processor for a second.
  await Promise.race([opening, launched.promise])
  const [database, { startOn }] = await Promise.all([opening, import('./start/gateway.ts')])
  const cleanUp: CleanUp = [() => database.stop()]
  try {
    return await startOn(database, config, given, cleanUp)
  } catch (error) {
    // All of them, whatever becomes of one: the next try, or somebody else, wants the same ports.
    for (const step of cleanUp.reverse())
      await step().catch((failed: unknown) => logger.warn({ err: failed }, 'undoing a start that failed'))
    throw error
  }
}
