import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('an empty environment is the sandbox on port 8080', () => {
  expect(readConfig({})).toMatchObject({ mode: 'sandbox', port: 8080, host: '127.0.0.1', databaseUrl: undefined, sandboxDelayMs: 1000, logLevel: 'info' })
})

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not http'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not 70000'],
  [{ MALIPO_MODE: 'test' }, 'MALIPO_MODE must be one of sandbox, live, not test'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not loud'],
  [{ PUBLIC_BASE_URL: 'pay.example' }, 'PUBLIC_BASE_URL must be an http or https URL without query, not pay.example'],
  [{ MALIPO_MODE: 'live' }, 'MALIPO_MASTER_KEY is required in live mode: it encrypts signing keys and webhook secrets at rest'],
  [{ MALIPO_MASTER_KEY: 'short' }, 'MALIPO_MASTER_KEY must have at least 32 characters, for example from: openssl rand -base64 32'],
  [{ MALIPO_RATE_LIMIT_ADDRESS: '0' }, 'MALIPO_RATE_LIMIT_ADDRESS must be a whole number from 1 to 1000000, not 0'],
  ...['proxy.example', '10.0.0.0/33', '10.0.0.1/0', '10.0.0.0/8/8', 'true'].map((proxy): [Record<string, string>, string] =>
    [{ MALIPO_TRUSTED_PROXIES: `127.0.0.1, ${proxy}` }, `MALIPO_TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, with commas between them, not ${proxy}`]),
])('%j is refused by name', (env, message) => expect(() => readConfig(env)).toThrow(message))

test('the password in DATABASE_URL is not repeated', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).toThrow(/^DATABASE_URL must begin with postgres/)
  expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).not.toThrow(/hunter2/)
})

test('trusted proxies are addresses and ranges, none unless they are named', () => {
  expect(readConfig({}).trustedProxies).toEqual([])
  expect(readConfig({ MALIPO_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::/32,' }).trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
})

test('the configuration cannot be changed later', () => expect(Object.isFrozen(readConfig({}))).toBe(true))
