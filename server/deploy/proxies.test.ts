import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../verification/testing/free-port.ts'
import { until } from '../verification/testing/served-gateway.ts'
import { temporaryFolder } from '../verification/testing/temporary-folder.ts'
import { SHOWN_PATHS } from './testing/logged-paths.ts'
import { certificateIn, run, testWith, toolPath } from './testing/tools.ts'

// HAProxy and Patroni accept the example configurations, which keep the promise that no acknowledged payment is lost.
// The proxies run for real, without a backend: only what they log of a request matters.

const folder = fileURLToPath(new URL('.', import.meta.url))
const scratch = temporaryFolder()
const KEY = 'sec_live_of_nobody'

testWith(['haproxy', 'openssl'], 'haproxy openssl')('HAProxy accepts both configurations', async () => {
  const env = { GATEWAY_CERTIFICATE: await certificateIn(scratch.path) }
  for (const name of ['gateway.cfg', 'database.cfg']) {
    const { code, text } = await run('haproxy', ['-c', '-dW', '-f', join(folder, 'haproxy', name)], { env })
    expect(code, text).toBe(0)
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

/** The log of a proxy, up to the end of the test. */
function started(name: string, args: readonly string[], env: Readonly<Record<string, string>>): { text: string } {
  const log = { text: '' }
  const child: ChildProcess = spawn(toolPath(name) ?? name, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      log.text += chunk
    })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return log
}

/**
 * Sends a request with its path unchanged; URLs would normalise it.
 * @returns the first line of the reply; undefined: nothing listens on the port
 */
const requested = (port: number, path: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nSecret-Key: ${KEY}\r\nConnection: close\r\n\r\n`,
      ),
    )
    socket.on('data', (chunk: Buffer) => {
      text += chunk
    })
    socket.on('error', () => resolve(undefined)).on('close', () => resolve(text.split('\r\n', 1)[0]))
  })

/** Of each path, the log has no more than what may be shown. */
async function expectShown(log: { readonly text: string }, port: number, logged: (line: string) => string | undefined) {
  const linesFrom = (from: number) =>
    log.text
      .slice(from)
      .split('\n')
      .slice(0, -1) // the last one may be incomplete
      .flatMap((line) => logged(line) ?? [])
  await until(async () => (await requested(port, '/')) !== undefined, 60_000, 'the proxy listens')
  // A reply may arrive before its line of the log: without this, the line of / would be taken for the next path's.
  await until(() => linesFrom(0).length > 0, 60_000, 'the log of /')
  for (const [path, shown] of SHOWN_PATHS) {
    const from = log.text.length
    expect(await requested(port, path), path).toMatch(/^HTTP\/1\.1 /)
    await until(() => linesFrom(from).length > 0, 60_000, `the log of ${path}`)
    expect(linesFrom(from), path).toEqual([shown])
    expect(log.text.slice(from)).not.toMatch(new RegExp(KEY))
    if (shown !== path) expect(log.text.slice(from)).not.toContain(path.slice(shown.length))
  }
}

testWith(['haproxy', 'openssl'], 'haproxy openssl')('HAProxy logs no token, payment link or key', async () => {
  const [http, https] = [await freePort(), await freePort()]
  const log = started('haproxy', ['-db', '-f', join(folder, 'haproxy/gateway.cfg')], {
    GATEWAY_HTTP: `127.0.0.1:${http}`,
    GATEWAY_HTTPS: `127.0.0.1:${https}`,
    GATEWAY_CERTIFICATE: await certificateIn(scratch.path),
  })
  await expectShown(log, http, (line) => / GET (\S*) HTTP\/1\.1$/.exec(line)?.[1])
})

/** Caddy with the file of Compose, without an administration port, and with an upstream that is on no network. */
async function startedCaddy(host: string, change = (text: string) => text): Promise<{ text: string }> {
  const api = await freePort()
  const own = change(await readFile(join(folder, 'compose/Caddyfile'), 'utf8'))
    .replace('{', '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n')
    .replaceAll('api:8080', `127.0.0.1:${api}`)
  const home = { HOME: scratch.path, XDG_DATA_HOME: scratch.path, XDG_CONFIG_HOME: scratch.path }
  const args = ['run', '--adapter', 'caddyfile', '--config', scratch.written(`Caddyfile-${api}`, own)]
  return started('caddy', args, { GATEWAY_HOST: host, ...home })
}

testWith(['caddy'], 'caddy')('Caddy logs no token, payment link or key', async () => {
  const port = await freePort()
  const log = await startedCaddy(`http://localhost:${port}`)
  await expectShown(log, port, (line) => {
    const { request } = (line.startsWith('{') ? JSON.parse(line) : {}) as { request?: { uri: string } }
    return request?.uri
  })
})

const asTls = (port: number): Socket =>
  connectTls({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
const isServedByTls = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = asTls(port).on('error', () => resolve(false))
    socket.on('secureConnect', () => resolve(true)).on('secureConnect', () => socket.destroy())
  })

/** Returns when the proxy has ended the connection of a client that says this, and then the same byte again and again. */
const endOf = (socket: Socket, said: string, again?: string): Promise<void> =>
  new Promise((resolve) => {
    if (said !== '') socket.write(said)
    const drip = setInterval(() => again && socket.write(again), 50)
    socket.on('error', () => undefined).on('close', () => resolve(clearInterval(drip)))
    socket.resume()
  })

/** The time-outs of a configuration at a fiftieth: what ends a connection is what the file says, only sooner. */
const hastened = (text: string): string =>
  text.replaceAll(
    /\b(timeout [\w-]+|read_\w+|write|idle) (\d+)s$/gm,
    (_, name: string, s) => `${name} ${Number(s) * 20}ms`,
  )

/** Silence, a record of TLS that is not finished, and a header that never ends. */
async function expectStallsEnded(port: number): Promise<void> {
  await until(() => isServedByTls(port), 60_000, 'the proxy listens')
  await Promise.all([
    endOf(connect(port, '127.0.0.1'), ''),
    endOf(connect(port, '127.0.0.1'), '\x16\x03\x01'),
    endOf(asTls(port), ''),
    endOf(asTls(port), 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'a'),
  ])
}

testWith(['haproxy', 'openssl'], 'haproxy openssl')('HAProxy disconnects clients that stall', async () => {
  const [http, https] = [await freePort(), await freePort()]
  started('haproxy', ['-db', '-f', scratch.written('hastened.cfg', hastened(gateway))], {
    GATEWAY_HTTP: `127.0.0.1:${http}`,
    GATEWAY_HTTPS: `127.0.0.1:${https}`,
    GATEWAY_CERTIFICATE: await certificateIn(scratch.path),
  })
  await expectStallsEnded(https)
})

testWith(['caddy'], 'caddy')('Caddy disconnects clients that stall', async () => {
  const port = await freePort()
  await startedCaddy(`https://localhost:${port}`, hastened)
  await expectStallsEnded(port)
})
