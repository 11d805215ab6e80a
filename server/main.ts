import { pino } from 'pino'
import { checkServer, type Config } from './config.ts'
import { openDatabase } from './local/embedded-postgres/database.ts'
import { preparedFolder } from './prepared-folder.ts'
import { safeError } from './safe-error.ts'
import type { CleanUp } from './start/foundation.ts'
import type { Gateway } from './start/gateway.ts'
import type { StartEnvironment } from './start/surroundings.ts'

export type { Gateway } from './start/gateway.ts'

/**
 * Starts the gateway: database, migrations, HTTP, jobs.
 * @throws ConfigError, RailPackageRefused, DataFolderError, WrongMode, the reason why DATABASE_URL cannot be used, or the
 *   listener's error (EADDRINUSE)
 */
export async function startGateway(config: Config, given: Partial<StartEnvironment> = {}): Promise<Gateway> {
  checkServer(config, given.role ?? 'all')
  const logger = given.logger ?? pino({ level: config.logLevel, serializers: { err: safeError } })
  const { role = 'all', stopSignal } = given
  if (config.railPackages.length > 0) {
    // Before any module of the start reads the list of kinds.
    const { addRailPackages } = await import('./rails/packages.ts')
    await addRailPackages(config.railPackages)
  }
  const start = () => startOnce(config, { ...given, logger })
  if (config.databaseUrl === undefined) return start()
  const { startOnPrimary } = await import('./start/wait-for-primary.ts')
  return startOnPrimary(config, { logger, role, stopSignal }, start)
}

async function startOnce(
  config: Config,
  given: Pick<StartEnvironment, 'logger'> & Partial<StartEnvironment>,
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
  // The remaining modules load while PostgreSQL starts, and no earlier: on a fresh machine each of the two keeps a
  // processor busy for a second.
  await Promise.race([opening, launched.promise])
  const [database, { startOn }] = await Promise.all([opening, import('./start/gateway.ts')])
  const cleanUp: CleanUp = [() => database.stop()]
  try {
    return await startOn(database, config, given, cleanUp)
  } catch (error) {
    // Runs every step, even when one fails: the next attempt, or another process, needs the same ports.
    for (const step of cleanUp.reverse())
      await step().catch((failed: unknown) => logger.warn({ err: failed }, 'undoing a start that failed'))
    throw error
  }
}
