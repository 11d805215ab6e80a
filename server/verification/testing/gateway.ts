import { tmpdir } from 'node:os'
import { pino } from 'pino'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { readConfig } from '../../config.ts'
import { startGateway, type Gateway } from '../../main.ts'
import type { StartEnvironment } from '../../start/surroundings.ts'
import { DEMO_MERCHANT } from '../../local/sandbox/providers.ts'
import { databaseEnv, type TestDatabase } from './database.ts'

import { SANDBOX_RAILS } from './sandbox-rails.ts'

export { fixedClock, type FixedClock } from './fixed-clock.ts'
export { seededRandom } from '../../local/sandbox/seeded-random.ts'
export { DEMO_KEYS } from './demo-keys.ts'
export { DEMO_MERCHANT }

/** The key that seals the template's secrets: random, as live mode requires; it seals nothing real. */
export const MASTER_KEY = '40EvREp8tMEQAQljQJwAxoDmL9l8K+NZLR6IbJMq94M='

/** What live mode requires besides a database and a master key. */
export const LIVE_ENV = { MALIPO_MODE: 'live', PUBLIC_BASE_URL: 'https://pay.example' } as const

export interface TestGatewayOptions {
  readonly connection: TestDatabase['connection']
  readonly surroundings?: Partial<StartEnvironment>
  /** Environment variables in addition to the defaults. */
  readonly env?: Readonly<Record<string, string>>
}

/** Tests write what staff change without an audit entry. */
export type TestGateway = Gateway & { readonly pool: AuditedPool }

/**
 * The real gateway on a port of its own. Jobs run only when a test says so (`runDue`), and every reply is validated
 * against the contract.
 */
export function startTestGateway({ connection, surroundings, env }: TestGatewayOptions): Promise<TestGateway> {
  const config = readConfig({
    ...databaseEnv(connection),
    MALIPO_DATA_DIR: tmpdir(),
    MALIPO_MASTER_KEY: MASTER_KEY,
    PORT: '0',
    MALIPO_ADMIN_PORT: 'off',
    MALIPO_CONSOLE_PORT: 'off',
    ...SANDBOX_RAILS,
    ...env,
  })
  return startGateway(config, {
    logger: pino({ level: 'silent' }),
    runJobs: false,
    checkReplies: true,
    passwordCost: { N: 2 },
    ...surroundings,
  }) as Promise<TestGateway>
}
