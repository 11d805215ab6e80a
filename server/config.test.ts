import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkServer, readConfig } from './config.ts'

test('an empty environment is the sandbox on port 8080', () => {
  expect(readConfig({})).toMatchObject({
    mode: 'sandbox',
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: undefined,
    sandboxDelayMs: 1000,
    logLevel: 'info',
  })
})

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not http'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not 70000'],
  [
    { MIGRATION_DATABASE_URL: 'postgres://malipo@db/malipo' },
    'MIGRATION_DATABASE_URL needs DATABASE_URL beside it: the same database by the role that the servers log in as',
  ],
  [
    { DATABASE_URL: 'postgres://a@db/x', MIGRATION_DATABASE_URL: 'mysql://a:secret@db/x' },
    'MIGRATION_DATABASE_URL must begin with postgres:// or postgresql://',
  ],
  [{ MALIPO_ADMIN_PORT: 'on' }, 'MALIPO_ADMIN_PORT must be a whole number from 0 to 65535, not on'],
  [
    { MALIPO_OIDC_ISSUER: 'https://id.example', MALIPO_OIDC_CLIENT_ID: 'malipo' },
    'MALIPO_OIDC_ISSUER needs MALIPO_OIDC_CLIENT_ID and MALIPO_OIDC_CLIENT_SECRET beside it',
  ],
  [
    { MALIPO_OIDC_ISSUER: 'http://id.example' },
    'MALIPO_OIDC_ISSUER must be an https URL without query, not http://id.example',
  ],
  [{ MALIPO_MODE: 'test' }, 'MALIPO_MODE must be one of sandbox, rehearsal, live, not test'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not loud'],
  [{ PUBLIC_BASE_URL: 'pay.example' }, 'PUBLIC_BASE_URL must be an http or https URL without query, not pay.example'],
  [
    { MALIPO_MODE: 'live' },
    'MALIPO_MASTER_KEY is required in live mode: it encrypts signing keys and webhook secrets at rest',
  ],
  [
    { PUBLIC_BASE_URL: 'https://pay.example/?a=b' },
    'PUBLIC_BASE_URL must be an http or https URL without query, not https://pay.example/?a=***',
  ],
  [
    { PUBLIC_BASE_URL: "https://pay.example/'x" },
    "PUBLIC_BASE_URL must be an http or https URL without query, not https://pay.example/'x",
  ],
  [
    { MALIPO_ALLOWED_HOSTS: 'malipo, http://a.example' },
    'MALIPO_ALLOWED_HOSTS must be host names without port, separated by commas, not http://a.example',
  ],
  [
    { MALIPO_MASTER_KEY: 'short' },
    'MALIPO_MASTER_KEY must have at least 32 characters, for example from: openssl rand -base64 32',
  ],
  [{ MALIPO_RATE_LIMIT_ADDRESS: '0' }, 'MALIPO_RATE_LIMIT_ADDRESS must be a whole number from 1 to 1000000, not 0'],
  ...['proxy.example', '10.0.0.0/33', '10.0.0.1/0', '10.0.0.0/8/8', 'true'].map(
    (proxy): [Record<string, string>, string] => [
      { MALIPO_TRUSTED_PROXIES: `127.0.0.1, ${proxy}` },
      `MALIPO_TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, with commas between them, not ${proxy}`,
    ],
  ),
])('%j is refused by name', (env, message) => expect(() => readConfig(env)).toThrow(message))

describe('live mode', () => {
  const LIVE = { MALIPO_MODE: 'live', MALIPO_MASTER_KEY: randomBytes(32).toString('base64') }

  test.each(['change-me-from-openssl-rand-base64-32', 'a'.repeat(32)])('refuses the weak master key %s', (key) => {
    const weak = { ...LIVE, MALIPO_MASTER_KEY: key }
    expect(() => readConfig(weak)).toThrow(/openssl rand -base64 32.*MALIPO_MASTER_KEY_OLD=/)
    expect(() => readConfig(weak)).not.toThrow(key)
    // Whoever sealed data with this key can seal it again with a better one.
    expect(readConfig({ ...LIVE, MALIPO_MASTER_KEY_OLD: key }).formerMasterKey).toBe(key)
  })

  test.each(['PUBLIC_BASE_URL', 'PAYMENT_PAGE_BASE_URL', 'MALIPO_ADMIN_BASE_URL'])(
    'accepts no %s but an https one',
    (name) => {
      expect(() => readConfig({ ...LIVE, [name]: 'http://127.0.0.1:8080' })).toThrow(
        `${name} must be an https URL in live mode, not http://127.0.0.1:8080`,
      )
      expect(() => readConfig({ ...LIVE, [name]: 'https://pay.example' })).not.toThrow()
      expect(() => readConfig({ [name]: 'http://127.0.0.1:8080' })).not.toThrow()
    },
  )

  test.each(['all', 'api'] as const)('needs PUBLIC_BASE_URL for a server of role %s', (role) => {
    expect(() => checkServer(readConfig(LIVE), role)).toThrow(
      'PUBLIC_BASE_URL is required in live mode: the https address',
    )
    expect(() => checkServer(readConfig({ ...LIVE, PUBLIC_BASE_URL: 'https://pay.example' }), role)).not.toThrow()
    expect(() => checkServer(readConfig({}), role)).not.toThrow()
  })

  test('needs none for a worker, which serves no API', () => {
    expect(() => checkServer(readConfig(LIVE), 'worker')).not.toThrow()
  })
})

test('a base URL is kept without its last slash, in the form that browsers use', () => {
  expect(readConfig({ PUBLIC_BASE_URL: 'HTTPS://Pay.Example:443//' }).publicBaseUrl).toBe('https://pay.example')
  expect(() => readConfig({ PUBLIC_BASE_URL: 'https://example.com/malipo' })).toThrow(
    'PUBLIC_BASE_URL must be a URL without path, not https://example.com/malipo: give the gateway a host name of its own',
  )
  expect(() => readConfig({ PAYMENT_PAGE_BASE_URL: 'https://user:hunter2@pay.example' })).toThrow(
    /^PAYMENT_PAGE_BASE_URL must not hold a user name or a password$/,
  )
  expect(readConfig({ PUBLIC_BASE_URL: 'https://bücher.example' }).publicBaseUrl).toBe('https://xn--bcher-kva.example')
})

test('the password in DATABASE_URL is not repeated', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).toThrow(
    /^DATABASE_URL must begin with postgres/,
  )
  expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).not.toThrow(/hunter2/)
})

test('trusted proxies are addresses and ranges, none unless they are named', () => {
  expect(readConfig({}).trustedProxies).toEqual([])
  expect(readConfig({ MALIPO_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::/32,' }).trustedProxies).toEqual([
    '10.0.0.0/8',
    '192.0.2.7',
    '2001:db8::/32',
  ])
})

test('the configuration cannot be changed later', () => expect(Object.isFrozen(readConfig({}))).toBe(true))
