import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { testNightly } from '../verification/testing/nightly.ts'
import { freePort } from '../verification/testing/free-port.ts'
import { MASTER_KEY } from '../verification/testing/gateway.ts'
import { collect, mobileMoneyCollection, send, verify } from '../verification/testing/requests.ts'
import { until } from '../verification/testing/served-gateway.ts'
import { databaseByTcp } from './testing/database-by-tcp.ts'
import { firstBelow, run, toolPath } from './testing/tools.ts'
import { skipReason } from '../verification/testing/skip-reason.ts'

// Builds the image from scratch and serves a payment from it: as an unprivileged user, on a read-only file system,
// without a shell.

const folder = fileURLToPath(new URL('container', import.meta.url))
const missing = ['buildah', 'apt-get', 'dpkg-deb', 'unshare', 'npm'].filter((name) => toolPath(name) === undefined)
const why = process.getuid?.() === 0 ? missing.map((name) => `no ${name}`).join(', ') : 'only root can start it here'
if (why !== '') skipReason(`${why} (Debian: apt-get install buildah)`, 'the image')

interface Image {
  readonly OCIv1: {
    readonly config: {
      readonly User: string
      readonly WorkingDir: string
      readonly Env: readonly string[]
      readonly Entrypoint: readonly string[]
    }
  }
}

const database = await databaseByTcp()
const testHere = why === '' ? testNightly : test.skip
testHere(
  'the image is built from scratch, and serves a payment without write access',
  async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'malipo-image-'))
    onTestFinished(() => rm(scratch, { recursive: true, force: true }))
    const buildah = async (...args: readonly string[]) => {
      const store = ['--root', join(scratch, 'store'), '--runroot', join(scratch, 'run'), '--storage-driver', 'vfs']
      const ran = await run('buildah', [...store, ...args], { timeoutMs: 240_000 })
      expect(ran.code, ran.text).toBe(0)
      return ran.out.trim()
    }
    const context = join(scratch, 'root')
    const assembled = await run('sh', [join(folder, 'assemble.sh'), context], { timeoutMs: 240_000 })
    expect(assembled.code, assembled.text).toBe(0)
    await buildah('build', '--isolation', 'chroot', '-f', join(folder, 'Containerfile'), '-t', 'malipo', context)
    const { config } = (JSON.parse(await buildah('inspect', '--type', 'image', 'malipo')) as Image).OCIv1
    expect(config.User).toBe('65532:65532')
    const root = await buildah('mount', await buildah('from', 'malipo'))
    expect(
      (await run('find', [root, '-name', 'sh', '-o', '-name', 'bash', '-o', '-name', 'npm', '-o', '-name', 'apt'])).out,
    ).toBe('')

    const port = await freePort()
    const env = {
      ...Object.fromEntries(config.Env.map((line) => line.split('=', 2) as [string, string])),
      DATABASE_URL: database,
      MALIPO_MODE: 'sandbox',
      MALIPO_MASTER_KEY: MASTER_KEY,
      MALIPO_SANDBOX_DELAY_MS: '50',
      PORT: String(port),
    }
    for (const name of ['proc', 'dev']) await mkdir(join(root, name), { recursive: true })
    // As a container runtime does: its own mounts, a read-only root, and no more privileges than the image requests.
    const mounts =
      'mount --make-rprivate / && mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && ' +
      'mount -o remount,bind,ro "$1" && shift && exec unshare "$@"'
    const inside = ['--root', root, '--wd', config.WorkingDir, '--setgid', '65532', '--setuid', '65532', '--']
    const started = (args: readonly string[]) => {
      const all = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts, 'sh', root, ...inside]
      const child = spawn('unshare', [...all, ...config.Entrypoint, ...args], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const said: string[] = []
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
      return { child, said, exited: new Promise<number | null>((resolve) => child.on('exit', resolve)) }
    }
    const migrated = started(['migrate'])
    expect(await migrated.exited, migrated.said.join('')).toBe(0)
    const gateway = started(['serve'])
    onTestFinished(async () => {
      const pid = await firstBelow(gateway.child.pid)
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      await gateway.exited
    })
    const url = `http://127.0.0.1:${port}`
    const isReady = () =>
      send(url, 'GET', '/health/ready').then(
        ({ status }) => status === 200,
        () => false,
      )
    await until(isReady, 60_000, 'the gateway is ready').catch((error: unknown) => {
      throw new Error(gateway.said.join(''), { cause: error })
    })
    const payment = mobileMoneyCollection()
    expect((await collect(url, payment)).status).toBe(202)
    const isPaid = async () =>
      (await verify(url, String(payment.merchant_reference))).body.data.transaction_status === 'COMPLETED'
    await until(isPaid, 60_000, 'the payment is over')
    expect((await fetch(`${url}/docs`)).status).toBe(200)
  },
  600_000,
)
