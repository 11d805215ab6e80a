import {
  addressRanges,
  adminPort,
  asGiven,
  baseUrl,
  collectorUrl,
  folder,
  hashedFiles,
  hostNames,
  integer,
  issuerUrl,
  masterKey,
  oneOf,
  postgresUrl,
  ratio,
  type Parse,
} from './setting-values.ts'
import { SAMPLERS } from './tracing/tracing.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * An environment variable. Meaning and default are Markdown, for the page "Settings" and, without markup, for `malipo settings`.
 */
export interface Setting<Value> {
  readonly name: string
  readonly meaning: string
  readonly default: string
  /** An empty variable counts as unset. @throws ConfigError naming the variable and what it must be */
  read(env: Environment): Value
}

const setting = <Value>(name: string, fallback: string, parse: Parse<Value>, meaning: string): Setting<Value> => ({
  name,
  meaning,
  default: fallback === '' ? 'none' : `\`${fallback}\``,
  read: (env) => parse(env[name] || fallback, name),
})

const optional = <Value>(
  name: string,
  absent: string,
  parse: Parse<Value>,
  meaning: string,
): Setting<Value | undefined> => ({
  name,
  meaning,
  default: absent,
  read: (env) => (env[name] ? parse(env[name], name) : undefined),
})

const mode = setting(
  'MALIPO_MODE',
  'sandbox',
  oneOf('sandbox', 'rehearsal', 'live'),
  '`sandbox`, `rehearsal` or `live`; live refuses the demo keys, the inbox and the simulator, and so does rehearsal, which has the rules of live and takes only trial rail accounts of rails: simulators and sandboxes of operators, also on loopback; a database keeps the mode that it was made in, and every process of another mode refuses to start on it',
)

/** A setting with a default of its own in sandbox mode, where one machine plays all merchants and customers. */
const byMode = <Value>(
  name: string,
  fallback: { readonly usual: string; readonly sandbox: string },
  parse: Parse<Value>,
  meaning: string,
): Setting<Value> => ({
  name,
  meaning,
  default: `\`${fallback.usual}\`; in sandbox mode \`${fallback.sandbox}\``,
  read: (env) => parse(env[name] || fallback[mode.read(env) === 'sandbox' ? 'sandbox' : 'usual'], name),
})

const PORT = integer(0, 65_535)
const COUNT = integer(1, 1_000_000)

/** All settings: name, default, parser, and meaning. */
export const SETTINGS = {
  databaseUrl: optional(
    'DATABASE_URL',
    'the embedded one in `MALIPO_DATA_DIR`',
    postgresUrl,
    'PostgreSQL 15 or newer; `serve --role api` and `--role worker` need it; of several hosts (`postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write`) the one that takes writes is used for everything, reading included, and a standby alone is refused',
  ),
  migrationDatabaseUrl: optional(
    'MIGRATION_DATABASE_URL',
    '`DATABASE_URL`',
    postgresUrl,
    'the same database as its owner, for `malipo migrate`, `months` and `archive`: `migrate` gives the role of `DATABASE_URL` its rights, which are to read and append to the ledger and no DDL; servers do without it; see `server/deploy/README.md`',
  ),
  dataDir: setting('MALIPO_DATA_DIR', '.malipo', folder, 'data of the embedded PostgreSQL, sandbox master key'),
  configHome: optional(
    'XDG_CONFIG_HOME',
    '`~/.config`',
    folder,
    'where `malipo login` keeps your token: in `malipo`, readable by you only; servers do not use it',
  ),
  spoolDir: optional(
    'MALIPO_SPOOL_DIR',
    '`spool` in `MALIPO_DATA_DIR`',
    folder,
    'where messages of operators wait while PostgreSQL does not take them within half a second: on a disk that outlives the process; all processes of a machine may share it',
  ),
  spoolMiB: setting(
    'MALIPO_SPOOL_MIB',
    '64',
    integer(1, 100_000),
    'how much of it a process fills, in MiB; then messages of operators get 503',
  ),
  port: setting('PORT', '8080', PORT, 'where to listen; port 0 picks one'),
  host: setting('HOST', '127.0.0.1', asGiven, 'the address to listen on'),
  drainMs: byMode(
    'MALIPO_DRAIN_MS',
    { usual: '5000', sandbox: '0' },
    integer(0, 600_000),
    'how long an API process goes on serving after SIGTERM, in milliseconds, while `/health/ready` says 503 and each reply ends its connection: longer than the proxy in front takes to notice',
  ),
  mode,
  masterKey: optional(
    'MALIPO_MASTER_KEY',
    'made once in sandbox mode',
    masterKey,
    'encrypts signing keys, webhook secrets and the RSA key at rest; 32 random bytes, from `openssl rand -base64 32`; required in live and rehearsal mode, and live mode refuses a key that is not random',
  ),
  formerMasterKey: optional(
    'MALIPO_MASTER_KEY_OLD',
    'none',
    asGiven,
    'the one before it: for `malipo keys reseal`, and for messages of operators that still wait in the spool',
  ),
  publicBaseUrl: optional(
    'PUBLIC_BASE_URL',
    'the address it listens on',
    baseUrl,
    'how others reach the gateway; docs, contract and samples are served with it; live mode requires it, and https',
  ),
  paymentPageBaseUrl: optional(
    'PAYMENT_PAGE_BASE_URL',
    '`PUBLIC_BASE_URL`',
    baseUrl,
    'how customers reach the payment page; live mode requires https',
  ),
  allowedHosts: setting(
    'MALIPO_ALLOWED_HOSTS',
    '',
    hostNames,
    "further host names, separated by commas, under which the sandbox's inbox and the metrics may be requested, beside loopback and the names in `HOST`, `MALIPO_METRICS_HOST` and the base URLs",
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'JSON lines on standard error, from `trace` to `silent`',
  ),
  sandboxDelayMs: setting(
    'MALIPO_SANDBOX_DELAY_MS',
    '1000',
    integer(0, 600_000),
    'how long simulated customers take, in milliseconds',
  ),
  sandboxRails: setting(
    'MALIPO_SANDBOX_RAILS',
    'simulated',
    oneOf('simulated', 'wire'),
    'what moves money in sandbox mode: `simulated` rails for every provider, or, with `wire`, the real rails for `mtn_*`, `mpesa_ke`, `airtel_ug`, `airtel_ke`, `airtel_tz`, `airtel_rw` and `airtel_zm`, over HTTP to operators that the gateway runs on this machine; the same for all processes',
  ),
  sandboxHistory: setting(
    'MALIPO_SANDBOX_HISTORY',
    'none',
    oneOf('none', 'month'),
    'what a new database of sandbox mode begins with: `none`, or, with `month`, a demo merchant with a month of payments, people and a logo; `npm start` sets `month` unless you set something else',
  ),
  rateLimitPerSecond: setting(
    'MALIPO_RATE_LIMIT',
    '2000',
    COUNT,
    'requests per second and merchant, on average over ten seconds: so many with the secret key, and as many with the public key alone; a verify that finds nothing counts ten',
  ),
  rateLimitPerAddress: setting(
    'MALIPO_RATE_LIMIT_ADDRESS',
    '20',
    COUNT,
    'refused keys and unknown payment pages per second and client address, on average over ten seconds',
  ),
  trustedProxies: setting(
    'MALIPO_TRUSTED_PROXIES',
    '',
    addressRanges,
    'addresses and ranges (`10.0.0.0/8,192.0.2.7`) of the proxies in front, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed; without it every client that comes through a proxy counts as that proxy',
  ),
  connectionsPerAddressMax: byMode(
    'MALIPO_CONNECTIONS_PER_ADDRESS',
    { usual: '512', sandbox: '8192' },
    COUNT,
    'connections that one client address (of IPv6 a /64) may have open at once with an API process; one more is refused with 429; not for the addresses of `MALIPO_TRUSTED_PROXIES`',
  ),
  holderQueriesMax: byMode(
    'MALIPO_ACCOUNT_HOLDERS_PER_DAY',
    { usual: '1000', sandbox: '100000' },
    COUNT,
    'account holders that a merchant may ask operators for in 24 hours; one more gets 429 with `Retry-After`',
  ),
  otpSendsMax: setting(
    'MALIPO_OTP_SENDS_MAX',
    '20',
    COUNT,
    'one-time passwords sent to an account number in 24 hours, over all merchants',
  ),
  otpWrongTriesMax: setting(
    'MALIPO_OTP_WRONG_TRIES_MAX',
    '30',
    COUNT,
    'wrong one-time passwords checked for an account number in 24 hours, over all merchants',
  ),
  promptsPerHourMax: byMode(
    'MALIPO_PROMPTS_PER_HOUR',
    { usual: '20', sandbox: '200' },
    COUNT,
    'collections of mobile money, each of which prompts the phone for approval, that an account number takes in an hour, over all merchants; one more gets 429 with `Retry-After`',
  ),
  promptsPerDayMax: byMode('MALIPO_PROMPTS_PER_DAY', { usual: '60', sandbox: '1000' }, COUNT, 'the same in 24 hours'),
  promptDeclinesMax: byMode(
    'MALIPO_PROMPT_DECLINES_MAX',
    { usual: '6', sandbox: '200' },
    COUNT,
    'prompts in a row, within 24 hours and over all merchants, that an account number may decline or not answer before a cool-down; an approval ends the row',
  ),
  promptCoolDownMs: setting(
    'MALIPO_PROMPT_COOL_DOWN_MS',
    '900000',
    integer(1, 86_400_000),
    'the first cool-down, in milliseconds, in which the account number gets no prompt; each further decline doubles it, up to 24 hours',
  ),
  jobDelayMsMax: byMode(
    'MALIPO_JOB_DELAY_MS',
    { usual: '1000', sandbox: '5000' },
    integer(100, 86_400_000),
    'how long due jobs may wait for a worker, in milliseconds, before no more payments are accepted than are finished, and the others get 503 with `Retry-After`; delays at operators and merchants do not count',
  ),
  merchantShare: setting(
    'MALIPO_MERCHANT_SHARE',
    '50',
    integer(1, 100),
    'how much of each bound of an account number one merchant may use, in percent: of prompts, their declines, one-time passwords, wrong ones and open payment pages; at least one of each',
  ),
  dailyLimitShare: setting(
    'MALIPO_MERCHANT_SHARE_OF_DAILY_LIMIT',
    '100',
    integer(1, 100),
    "how much of a provider's daily limit of an account number one merchant may use, in percent",
  ),
  railPackages: setting(
    'MALIPO_RAIL_PACKAGES',
    '',
    hashedFiles,
    'rails from outside Malipo: files with their SHA-256, `/opt/rails/rail.mjs#sha256=9f86…`, with commas between them; each is checked at every start of a server or command, and one that differs refuses the start; it runs with all rights of the gateway; see the page "A rail of your own"',
  ),
  metricsPort: optional(
    'MALIPO_METRICS_PORT',
    'off',
    PORT,
    'where Prometheus gets `/metrics`, and a probe the health of any process, without keys: not for the public network; port 0 picks one',
  ),
  metricsHost: setting('MALIPO_METRICS_HOST', '127.0.0.1', asGiven, 'the address of the metrics port'),
  adminPort: byMode(
    'MALIPO_ADMIN_PORT',
    { usual: 'off', sandbox: 'next' },
    adminPort,
    'where staff sign in, their console and the admin API: a port, `off`, or `next` for the port after `PORT` or any free one; not for the public network',
  ),
  adminHost: setting('MALIPO_ADMIN_HOST', '127.0.0.1', asGiven, 'the address of the port for staff'),
  adminBaseUrl: optional(
    'MALIPO_ADMIN_BASE_URL',
    '`http://localhost` and the port',
    baseUrl,
    'how browsers of staff reach it, by a host name: cookies and passkeys are bound to it; with `MALIPO_ADMIN_PORT` live mode requires it, and https',
  ),
  consolePort: byMode(
    'MALIPO_CONSOLE_PORT',
    { usual: 'off', sandbox: 'next' },
    adminPort,
    'the same for people of merchants, who see their merchant only: a port, `off`, or `next` for the second port after `PORT` or any free one',
  ),
  consoleHost: setting('MALIPO_CONSOLE_HOST', '127.0.0.1', asGiven, 'the address of the port for people of merchants'),
  consoleBaseUrl: optional(
    'MALIPO_CONSOLE_BASE_URL',
    '`http://localhost` and the port',
    baseUrl,
    'how browsers of merchants reach it, by a host name; with `MALIPO_CONSOLE_PORT` live mode requires it, and https',
  ),
  oidcIssuer: optional(
    'MALIPO_OIDC_ISSUER',
    'off',
    issuerUrl,
    "your company's identity provider (OpenID Connect), whose verified e-mail addresses sign people in; needs both settings below, and `/oidc/callback` of the sign-in registered there",
  ),
  oidcClientId: optional('MALIPO_OIDC_CLIENT_ID', 'none', asGiven, 'what the provider calls this gateway'),
  oidcClientSecret: optional('MALIPO_OIDC_CLIENT_SECRET', 'none', asGiven, 'the secret that belongs to it'),
  databaseWaitMs: setting(
    'MALIPO_DATABASE_WAIT_MS',
    '60000',
    integer(0, 600_000),
    'how long the start of a server waits, in milliseconds, while `DATABASE_URL` leads to a standby or to a PostgreSQL that is starting or ending: it is live and not ready meanwhile; 0 does not wait',
  ),
  databaseConnectionsMax: setting(
    'MALIPO_DATABASE_CONNECTIONS',
    '16',
    integer(4, 1000),
    'connections to PostgreSQL per process; a process that runs jobs has one more, which listens',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'off',
    collectorUrl,
    'where traces go by OTLP over HTTP in JSON: a collector, without `/v1/traces`; see `server/tracing/README.md`',
  ),
  tracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    oneOf(...SAMPLERS),
    "which traces are kept: `always_on`, `always_off`, `traceidratio`, or, with `parentbased_` before it, what a merchant's `traceparent` says, and the sampler decides only for those who send none",
  ),
  tracesSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    ratio,
    'the ratio of `traceidratio`, from 0 to 1; 0.01 is one trace of a hundred',
  ),
  serviceName: setting('OTEL_SERVICE_NAME', 'malipo', asGiven, 'what traces call this gateway'),
}
