import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { SHOWN_PATHS } from './testing/logged-paths.ts'
import { run, testWith } from './testing/tools.ts'

// HAProxy and Patroni accept the example configurations, which keep the promise that no acknowledged payment is lost.

const folder = fileURLToPath(new URL('.', import.meta.url))
const SUBJECT = ['-subj', '/CN=gateway.example.com', '-days', '2']

testWith(['haproxy', 'openssl'], 'haproxy openssl')('HAProxy accepts both configurations', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'malipo-haproxy-'))
  try {
    const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ]
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...SUBJECT]
    expect(await run('openssl', made)).toMatchObject({ code: 0 })
    await writeFile(both, (await readFile(key, 'utf8')) + (await readFile(certificate, 'utf8')))
    for (const name of ['gateway.cfg', 'database.cfg']) {
      const env = { GATEWAY_CERTIFICATE: both }
      const { code, text } = await run('haproxy', ['-c', '-dW', '-f', join(folder, 'haproxy', name)], { env })
      expect(code, text).toBe(0)
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
})

const gateway = await readFile(join(folder, 'haproxy/gateway.cfg'), 'utf8')

test("HAProxy's log contains no token and no payment link", () => {
  // Log variables that contain a raw request line, path or query.
  expect(gateway).not.toMatch(/^\s*(option (http|https|tcp)log|capture |.*%(\{[^}]*\})?(r|HU|HP|HPO|HQ|hr|hs|CC)\b)/m)
  expect(gateway).not.toMatch(/%\[(?!var\(txn\.shown\)\])/)
  const formats = gateway.match(/^\s*log-format .*/gm) ?? []
  expect(formats).toHaveLength(1)
  expect(formats[0]).toContain('%[var(txn.shown)]')
  // The first rule of each frontend, so that requests redirected or rejected by a later rule are logged this way too.
  const frontends = gateway.split(/^frontend /m).slice(1)
  expect(frontends).toHaveLength(2)
  for (const frontend of frontends)
    expect(/^\s*http-request .*/m.exec(frontend)?.[0].trim()).toBe('http-request set-var(txn.shown) path,field(1,/,3)')
  const fields = (path: string): string => path.split('?', 1)[0]!.split('/').slice(0, 3).join('/')
  for (const [path, logged] of SHOWN_PATHS) expect(fields(path)).toBe(logged)
})

test.each(['gateway.cfg', 'database.cfg'])('%s has a timeout for each end of a connection', async (name) => {
  const text = await readFile(join(folder, 'haproxy', name), 'utf8')
  for (const what of ['connect', 'client', 'client-fin', 'server', 'server-fin'])
    expect(text, what).toMatch(new RegExp(`^\\s+timeout ${what} \\d+[sh]$`, 'm'))
  if (name === 'gateway.cfg') expect(text).toMatch(/^\s+timeout http-request \d+s$/m)
})

interface PatroniFile {
  readonly bootstrap: { readonly dcs: Readonly<Record<string, unknown>> }
}
const patroni = load(await readFile(join(folder, 'patroni/patroni.yaml'), 'utf8')) as PatroniFile

// Its lock outlives a missed round.
test('a leader without a synchronous standby accepts nothing', () => {
  const { ttl, loop_wait, retry_timeout, ...dcs } = patroni.bootstrap.dcs
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, synchronous_node_count: 1 })
  // As Patroni's documentation requires.
  expect(Number(ttl)).toBeGreaterThanOrEqual(Number(loop_wait) + 2 * Number(retry_timeout))
})

testWith(['patroni', '/usr/lib/postgresql/15/bin/initdb'], 'patroni postgresql-15')(
  'Patroni accepts its file with the environment of a node',
  async () => {
    const text = await readFile(join(folder, 'patroni/patroni.env'), 'utf8')
    const env = Object.fromEntries(
      [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    const { code, text: said } = await run('patroni', ['--validate-config', join(folder, 'patroni/patroni.yaml')], {
      env,
    })
    expect(code, said).toBe(0)
  },
)
