import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { until } from '../verification/testing/served-gateway.ts'
import { SHOWN_PATHS } from './testing/logged-paths.ts'
import { run, testWith, toolPath } from './testing/tools.ts'

// Runs the proxies of the examples for real, without a backend: only what they log of a request matters.

const folder = fileURLToPath(new URL('.', import.meta.url))
const KEY = 'sec_live_of_nobody'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function scratchFolder(): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'malipo-proxy-'))
  onTestFinished(() => rm(scratch, { recursive: true, force: true }))
  return scratch
}

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
  await until(async () => (await requested(port, '/')) !== undefined, 20_000, 'the proxy listens')
  for (const [path, shown] of SHOWN_PATHS) {
    const from = log.text.length
    expect(await requested(port, path), path).toMatch(/^HTTP\/1\.1 /)
    const lines = () =>
      log.text
        .slice(from)
        .split('\n')
        .flatMap((line) => logged(line) ?? [])
    await until(() => lines().length > 0, 20_000, `the log of ${path}`)
    expect(lines(), path).toEqual([shown])
    expect(log.text.slice(from)).not.toMatch(new RegExp(KEY))
    if (shown !== path) expect(log.text.slice(from)).not.toContain(path.slice(shown.length))
  }
}

testWith(['haproxy', 'openssl'], 'haproxy openssl')(
  'HAProxy logs no token, payment link or key',
  async () => {
    const scratch = await scratchFolder()
    const [key, certificate, both] = ['key', 'certificate', 'both'].map((name) => join(scratch, `${name}.pem`)) as [
      string,
      string,
      string,
    ]
    const made = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-subj',
      '/CN=localhost',
    ]
    expect(await run('openssl', made)).toMatchObject({ code: 0 })
    await writeFile(both, (await readFile(key, 'utf8')) + (await readFile(certificate, 'utf8')))
    const [http, https] = [await freePort(), await freePort()]
    const log = started('haproxy', ['-db', '-f', join(folder, 'haproxy/gateway.cfg')], {
      GATEWAY_HTTP: `127.0.0.1:${http}`,
      GATEWAY_HTTPS: `127.0.0.1:${https}`,
      GATEWAY_CERTIFICATE: both,
    })
    await expectShown(log, http, (line) => / GET (\S*) HTTP\/1\.1$/.exec(line)?.[1])
  },
  60_000,
)

testWith(['caddy'], 'caddy')(
  'Caddy logs no token, payment link or key',
  async () => {
    const scratch = await scratchFolder()
    const [port, api] = [await freePort(), await freePort()]
    const file = join(scratch, 'Caddyfile')
    const text = await readFile(join(folder, 'compose/Caddyfile'), 'utf8')
    // Without an administration port, and with an upstream that is on no network.
    await writeFile(file, text.replace('{', '{\n\tadmin off\n').replaceAll('api:8080', `127.0.0.1:${api}`))
    const log = started('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      GATEWAY_HOST: `http://localhost:${port}`,
      HOME: scratch,
      XDG_DATA_HOME: scratch,
      XDG_CONFIG_HOME: scratch,
    })
    await expectShown(log, port, (line) => {
      const { request } = (line.startsWith('{') ? JSON.parse(line) : {}) as { request?: { uri: string } }
      return request?.uri
    })
  },
  60_000,
)
