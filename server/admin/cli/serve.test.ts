import { createServer, connect, type AddressInfo, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { postJson, send } from '../../verification/testing/requests.ts'
import {
  CLI,
  folder,
  isRunning,
  malipo,
  malipoAmongOthers,
  json,
  serve,
  soon,
  start,
  startCli,
  stop,
  type Environment,
  type Run,
} from './testing/command-line.ts'
import { collection, environmentOf } from './testing/operated-gateway.ts'
import { createTestDatabase } from '../../verification/testing/database.ts'
import { forFile } from '../../verification/testing/for-file.ts'

// A start on it is faster than one that makes an embedded PostgreSQL.
const database = await forFile(createTestDatabase())

describe('a start that cannot succeed explains it in two lines and ends with 1', () => {
  const taken: Server[] = []
  afterEach(() => {
    for (const server of taken.splice(0)) server.close()
  })

  async function refusal(env: Environment): Promise<string> {
    const { code, out, err } = await malipoAmongOthers(['serve'], { ...folder('never'), ...env })
    expect([code, out]).toEqual([1, ''])
    expect(err.trim().split('\n').length, err).toBeLessThanOrEqual(2)
    return err
  }

  test('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    taken.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    expect(await refusal({ ...environmentOf(database), PORT: String(port) })).toBe(
      `malipo: port ${port} on 127.0.0.1 is taken by another program.\nUse another one, for example PORT=${port + 1} npm start, or let the system choose: PORT=0 npm start.\n`,
    )
  })

  test('an unreadable setting', async () => {
    expect(await refusal({ PORT: 'eighty' })).toBe('malipo: PORT must be a whole number from 0 to 65535, not eighty\n')
    expect(await refusal({ MALIPO_MODE: 'live' })).toMatch(/MALIPO_MASTER_KEY is required in live mode/)
  })

  test('a data folder that is a file', async () => {
    expect(await refusal({ MALIPO_DATA_DIR: CLI })).toMatch(/cannot be made, because a file is in its place/)
  })

  test('a database that does not answer, does not exist, or refuses the password', async () => {
    const { host, port, user, password } = inject('postgres')
    const url = (pass: string, database: string) =>
      `postgres://${user}:${encodeURIComponent(pass)}@${encodeURIComponent(host)}:${port}/${database}`
    expect(await refusal({ DATABASE_URL: 'postgres://a:topsecret@127.0.0.1:1/x' })).toMatch(
      /PostgreSQL at 127.0.0.1:1 cannot be reached .*\nStart it, or correct DATABASE_URL/,
    )
    expect(await refusal({ DATABASE_URL: url('wrong', 'postgres') })).toMatch(/refuses the user \w+ or its password/)
    expect(await refusal({ DATABASE_URL: url(password, 'nowhere') })).toMatch(
      /has no database nowhere.\nCreate it \(createdb nowhere\)/,
    )
  })
})

test('a start that waits for a primary says so once, and ends with 0 on SIGTERM', async () => {
  // Acts like a proxy without a backend.
  let tries = 0
  const proxy = createServer((socket) => {
    tries += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => proxy.once('listening', resolve))
    const { port } = proxy.address() as AddressInfo
    const run = startCli(['serve'], {
      ...folder('waiting'),
      DATABASE_URL: `postgres://a:topsecret@127.0.0.1:${port}/x`,
    })
    await soon(() => run.err.includes('no primary yet'), 'it waits')
    const before = tries
    await soon(() => tries > before + 1, 'it tries again')
    expect(await stop(run)).toBe(0)
    expect([run.out, run.err.split('no primary yet').length, run.err.includes('topsecret')]).toEqual(['', 2, false])
  } finally {
    proxy.close()
  }
})

describe('with the sandbox served', () => {
  const env = folder('sandbox')
  let gateway: Run & { url: string }
  beforeAll(async () => {
    gateway = await serve(env)
  })

  // The banner also names the addresses and the keys.
  test("the banner's curl line can be pasted twice, and its verify line succeeds", async () => {
    for (const part of [
      '/docs',
      '/sandbox/inbox',
      'Duka la Mfano',
      'pub_sandbox_demo',
      'sec_sandbox_demo',
      'SANDBOXDEMOSIGNKEY01',
      'whsec_',
    ])
      expect(gateway.out).toContain(part)
    const [collection, verify] = gateway.out.split('\n').filter((line) => line.startsWith('curl '))
    const paste = async (line: string) => {
      const run = start('sh', ['-c', line], {})
      expect(await run.ended, run.err).toBe(0)
      return JSON.parse(run.out) as { code: number; data: { merchant_reference: string; transaction_status?: string } }
    }
    const [first, second] = [await paste(collection!), await paste(collection!)]
    expect([first.code, second.code]).toEqual([202, 202])
    expect(first.data.merchant_reference).not.toBe(second.data.merchant_reference)
    const queried = verify!.replace('MERCHANT_REFERENCE', first.data.merchant_reference)
    await soon(
      async () => (await paste(queried)).data.transaction_status === 'COMPLETED',
      'the collection of the curl line is COMPLETED',
    )
  })

  test('logs JSON lines to standard error; standard output has only the banner', async () => {
    await send(gateway.url, 'GET', '/data/wallet-balances?currency=XTS', { headers: { 'public-key': 'nobody' } })
    const requests = () =>
      gateway.err
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { msg: string; status?: number })
    await soon(() => requests().some(({ msg, status }) => msg === 'request' && status === 401), 'the request is logged')
    expect(gateway.out).not.toContain('"level"')
  })

  test('a start as root recommends a service user once; other starts do not', async () => {
    const asRoot = process.geteuid?.() === 0
    await soon(() => !asRoot || gateway.err.includes('started as root'), 'it is said')
    expect(
      gateway.err.match(/started as root, which Malipo never needs: a service user of its own is better/g) ?? [],
    ).toHaveLength(asRoot ? 1 : 0)
  })

  test('SIGUSR1 opens no debugger and ends nothing', async () => {
    gateway.child.kill('SIGUSR1')
    await pause(200)
    expect((await send(gateway.url, 'GET', '/health/ready')).status).toBe(200)
    expect(gateway.err).not.toContain('Debugger listening')
  })

  test('a pipe that closes early is no failure', async () => {
    const pipe = 'set -o pipefail; "$0" "$1" provider list --json | head -c 1'
    const run = start('bash', ['-c', pipe, process.execPath, CLI], env)
    expect(await run.ended).toBe(0)
    expect([run.out, run.err]).toEqual(['[', ''])
  })

  test('refuses a second server on the data folder, and the first goes on', async () => {
    const { code, err } = await malipo(['serve'], env)
    expect(code).toBe(1)
    expect(err).toContain(
      `Another Malipo (pid ${gateway.child.pid}) already serves the data folder ${env.MALIPO_DATA_DIR}`,
    )
    expect((await send(gateway.url, 'GET', '/health/ready')).status).toBe(200)
  })

  // Must stay the last test of this server: it stops it.
  test('SIGTERM ends with 0, and the commands work on without the server', async () => {
    const hanging = collection('STOPPED-0001', '256772000006')
    expect((await postJson(gateway.url, '/collections/initialize', hanging)).status).toBe(202)
    expect(await stop(gateway)).toBe(0)
    expect(await json(['transaction', 'show', 'STOPPED-0001'], env)).toMatchObject({
      merchant_reference: 'STOPPED-0001',
    })
  })
})

describe('the shutdown of a server', () => {
  const env = environmentOf(database)

  /**
   * A client that sends half a request and then nothing; the server's "100 Continue" shows that it has read the first
   * half.
   */
  async function halfRequest(url: string) {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(
      'POST /collections/initialize HTTP/1.1\r\nhost: x\r\nx-api-version: 1\r\npublic-key: pub_sandbox_demo\r\ncontent-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n',
    )
    await new Promise((resolve) => socket.once('data', resolve))
    let reply = ''
    socket.on('data', (chunk: Buffer) => (reply += chunk.toString()))
    return { socket, reply: () => reply }
  }

  test('serve --json prints one document with the address and the keys', async () => {
    const run = startCli(['serve', '--json'], env)
    const started = await soon(
      () => run.out.endsWith('}\n') && (JSON.parse(run.out) as { url: string }),
      'the document',
    )
    expect(started).toMatchObject({
      mode: 'sandbox',
      role: 'all',
      docs_url: `${started.url}/docs`,
      demo_merchant: { public_key: 'pub_sandbox_demo' },
    })
    expect(await stop(run, 'SIGINT')).toBe(0)
  })

  test('is not delayed by a client that never finishes its request', async () => {
    const gateway = await serve(env)
    const { socket, reply } = await halfRequest(gateway.url)
    expect(await stop(gateway)).toBe(0)
    expect(reply()).not.toContain('408') // it was cut, before its time was over
    socket.destroy()
  })

  test('is immediate with a second signal', async () => {
    const gateway = await serve(env)
    const { socket } = await halfRequest(gateway.url)
    gateway.child.kill('SIGTERM')
    await soon(() => gateway.err.includes('stopping'), 'it is stopping')
    // Two signals within half a second are one press of Ctrl+C under npm: the test repeats the signal until it counts
    // as the second.
    const code = await soon(async () => {
      gateway.child.kill('SIGINT')
      return !isRunning(gateway) && gateway.ended
    }, 'the end')
    expect(code).toBe(130)
    socket.destroy()
  })

  test('follows an unhandled fault: it is logged, and the exit code is 1', async () => {
    const preload = `data:text/javascript,process.on('SIGUSR2',()=>{Promise.reject(new Error('planted%20fault'))})`
    const gateway = await serve({ ...env, NODE_OPTIONS: `--import="${preload}"` })
    gateway.child.kill('SIGUSR2')
    expect(await gateway.ended).toBe(1)
    const fatal = gateway.err.split('\n').find((line) => line.includes('planted fault'))
    expect(JSON.parse(fatal!)).toMatchObject({ level: 60, origin: 'unhandledRejection' })
  })
})
