import { OPEN_PAGES_MAX, type AccountBounds } from './domain/account-bounds.ts'
import { MAKE_MASTER_KEY, masterKeyFault } from './master-key.ts'
import { ConfigError } from './setting-values.ts'
import { SETTINGS, type Environment } from './settings.ts'

type Settings = typeof SETTINGS

/** The whole configuration, read once from the environment. This module is the only reader of process.env. */
export type Config = { readonly [Key in keyof Settings]: ReturnType<Settings[Key]['read']> }

export type Mode = Config['mode']
export type Role = 'all' | 'api' | 'worker'

/** @throws ConfigError naming the variable and what it must be */
export function readConfig(env: Environment): Config {
  const values = Object.entries(SETTINGS).map(([key, setting]) => [key, setting.read(env)])
  const config = Object.freeze(Object.fromEntries(values) as Config)
  if (config.migrationDatabaseUrl !== undefined && config.databaseUrl === undefined)
    throw new ConfigError(
      'MIGRATION_DATABASE_URL needs DATABASE_URL beside it: the same database by the role that the servers log in as',
    )
  if (config.oidcIssuer !== undefined && (config.oidcClientId === undefined || config.oidcClientSecret === undefined))
    throw new ConfigError('MALIPO_OIDC_ISSUER needs MALIPO_OIDC_CLIENT_ID and MALIPO_OIDC_CLIENT_SECRET beside it')
  if (config.mode !== 'sandbox') checkMasterKey(config)
  if (config.mode === 'live') checkLive(config)
  return config
}

/** Outside the sandbox, data at rest is never sealed with a generated key. */
function checkMasterKey({ mode, masterKey }: Config): void {
  if (masterKey === undefined)
    throw new ConfigError(
      `MALIPO_MASTER_KEY is required in ${mode} mode: it encrypts signing keys and webhook secrets at rest. Make one: ${MAKE_MASTER_KEY}`,
    )
  const fault = mode === 'live' ? masterKeyFault(masterKey) : undefined
  if (fault !== undefined)
    throw new ConfigError(
      `MALIPO_MASTER_KEY ${fault}. If secrets are sealed with this key already: MALIPO_MASTER_KEY_OLD=<this key> MALIPO_MASTER_KEY=<the new key> malipo keys reseal --reason <text>`,
    )
}

/** Keys, payment links, passwords and OTPs are sent to the base URLs. */
function checkLive(config: Config): void {
  const { publicBaseUrl, paymentPageBaseUrl, adminPort, adminBaseUrl, consolePort, consoleBaseUrl } = config
  for (const [name, url] of Object.entries({
    PUBLIC_BASE_URL: publicBaseUrl,
    PAYMENT_PAGE_BASE_URL: paymentPageBaseUrl,
    MALIPO_ADMIN_BASE_URL: adminBaseUrl,
    MALIPO_CONSOLE_BASE_URL: consoleBaseUrl,
  }))
    if (url?.startsWith('http:')) throw new ConfigError(`${name} must be an https URL in live mode, not ${url}`)
  if (adminPort !== undefined && adminBaseUrl === undefined)
    throw new ConfigError(
      'MALIPO_ADMIN_BASE_URL is required in live mode with MALIPO_ADMIN_PORT: the https address at which staff sign in, for example https://staff.pay.example.com',
    )
  if (consolePort !== undefined && consoleBaseUrl === undefined)
    throw new ConfigError(
      'MALIPO_CONSOLE_BASE_URL is required in live mode with MALIPO_CONSOLE_PORT: the https address at which people of merchants sign in, for example https://merchants.pay.example.com',
    )
}

/**
 * What a server needs beyond what every command needs. In live mode the links for customers are never derived from the
 * listening address.
 * @throws ConfigError naming the variable
 */
export function checkServer({ mode, publicBaseUrl }: Config, role: Role): void {
  if (mode !== 'live' || role === 'worker' || publicBaseUrl !== undefined) return
  throw new ConfigError(
    'PUBLIC_BASE_URL is required in live mode: the https address at which merchants and customers reach this gateway, for example https://pay.example.com',
  )
}

/** Limits per account number. In the sandbox no phone rings and the same test numbers are used over and over. */
export const accountBoundsOf = ({
  otpSendsMax,
  otpWrongTriesMax,
  promptsPerHourMax,
  promptsPerDayMax,
  promptDeclinesMax,
  promptCoolDownMs,
  merchantShare,
}: Config): AccountBounds => ({
  otpSendsMax,
  otpWrongTriesMax,
  openPagesMax: OPEN_PAGES_MAX,
  promptsPerHourMax,
  promptsPerDayMax,
  promptDeclinesMax,
  promptCoolDownMs,
  merchantShare,
})

/** For the command line, which reads the same environment. */
export const readProcessConfig = (): Config => readConfig({ ...ofNpmStart(process.env), ...process.env })

/** The same, for what commands load before they read the rest. */
export const railPackagesOfProcess = (): Config['railPackages'] => SETTINGS.railPackages.read(process.env)

/** The environment of a process with settings of its own: nothing that configures this one reaches it. */
export const environmentWith = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const own = new Set(Object.values(SETTINGS).map(({ name }) => name))
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.has(name))), ...settings }
}

/** `npm start` begins a new sandbox with a past to look at, unless it is told otherwise; `malipo serve` does not. */
const ofNpmStart = ({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  script === 'start' ? { MALIPO_SANDBOX_HISTORY: 'month' } : {}
