import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../domain/present.ts'
import { childEnv } from '../../verification/testing/child-env.ts'
import { firstCallback, isReady, VERIFIED } from '../../verification/testing/first-callback.ts'
import { freePort } from '../../verification/testing/free-port.ts'
import { verify } from '../../verification/testing/requests.ts'
import { until } from '../../verification/testing/served-gateway.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'
import { run as runTool, toolPath } from '../../deploy/testing/tools.ts'
import { packInto } from '../pack.ts'
import { buildImages } from './build.ts'
import { IMAGES, type ImageRow, packageOf, USER } from './table.ts'

// Builds all images, and starts them as a user would: by a runtime of the Open Container Initiative, as nobody, without
// capabilities, on a file system that is read-only but for the volume and /tmp.

const GATEWAY_BYTES_MAX = 120_000_000
const { path: folder } = temporaryFolder()
const missing = ['umoci', 'dpkg-deb', 'runc', 'qemu-aarch64-static'].filter((name) => toolPath(name) === undefined)
const why = process.getuid?.() === 0 ? missing.map((name) => `no ${name}`).join(', ') : 'only root can start them here'
if (why !== '') skipReason(`${why} (Debian: apt-get install umoci runc qemu-user-static)`, 'images')
const testHere = test.skipIf(why !== '')

const oci = join(folder, 'images/oci')
function imageOf(name: string, arch = 'amd64'): { readonly row: ImageRow; readonly tag: string } {
  const row = present(
    IMAGES.find((each) => each.name === name),
    name,
  )
  return { row, tag: `${name}-${packageOf(row).version}-${arch}` }
}
let built: Promise<readonly string[]> | undefined
const images = (): Promise<readonly string[]> =>
  (built ??= packInto(join(folder, 'packages'), IMAGES.map(packageOf)).then(() =>
    buildImages(join(folder, 'images'), join(folder, 'packages')),
  ))

interface Bundle {
  readonly process: { args: string[]; env: string[]; terminal: boolean; rlimits?: unknown; capabilities?: object }
  readonly root: { readonly: boolean }
  mounts: { readonly destination: string; readonly type: string; readonly source: string; readonly options: string[] }[]
  readonly linux: { namespaces: readonly { readonly type: string }[]; resources?: unknown }
}

/** Unpacks an image of one platform. @returns its file system */
async function unpack(name: string, arch?: string): Promise<string> {
  const { tag } = imageOf(name, arch)
  await images()
  const bundle = join(folder, tag)
  const unpacked = await runTool('umoci', ['unpack', '--image', `${oci}:${tag}`, bundle], { timeoutMs: 300_000 })
  expect(unpacked.code, unpacked.text).toBe(0)
  return join(bundle, 'rootfs')
}

let containers = 0
/** Starts what was unpacked, in the network of the test. @returns how to send it a signal, and its end */
function start(name: string, data: string, env: Readonly<Record<string, string>>, command?: readonly string[]) {
  const { row, tag } = imageOf(name)
  const bundle = join(folder, tag)
  const file = join(bundle, 'config.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as Bundle
  const { process: program, root, linux } = config
  program.terminal = false
  program.capabilities = {}
  program.env.push(...Object.entries(env).map(([name, value]) => `${name}=${value}`))
  if (command) program.args.splice(program.args.length - row.command.length, row.command.length, ...command)
  delete program.rlimits
  delete linux.resources
  root.readonly = true
  linux.namespaces = linux.namespaces.filter(({ type }) => type !== 'network')
  config.mounts = [
    ...config.mounts.filter(({ destination }) => destination !== '/data' && destination !== '/tmp'),
    { destination: '/data', type: 'bind', source: data, options: ['rbind', 'rw'] },
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
  ]
  writeFileSync(file, JSON.stringify(config))
  const id = `malipo-test-${process.pid}-${++containers}`
  const child = spawn('runc', ['run', id], { cwd: bundle, env: childEnv(), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const kill = async (signal: string): Promise<number | null> => {
    await runTool('runc', ['kill', id, signal])
    return exited
  }
  onTestFinished(() => void runTool('runc', ['delete', '--force', id]))
  return { id, kill, exited, output: () => output }
}

function volume(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  chownSync(path, USER, USER)
  return path
}

testHere('the gateway collects, is killed, and has it all on the same volume', { timeout: 3_600_000 }, async () => {
  await unpack('gateway')
  const [data, port] = [volume('data'), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), MALIPO_ADMIN_PORT: 'off', MALIPO_CONSOLE_PORT: 'off' }
  const served = async () => {
    const begin = performance.now()
    const container = start('gateway', data, env)
    await until(() => isReady(url), 120_000, 'the gateway is ready').catch((cause: unknown) => {
      throw new Error(container.output(), { cause })
    })
    console.log(`ready after ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    return container
  }
  const first = await served()
  expect(await firstCallback(url)).toMatchObject(VERIFIED)
  const config = JSON.parse(readFileSync(join(folder, imageOf('gateway').tag, 'config.json'), 'utf8')) as Bundle
  expect(config.process).toMatchObject({ user: { uid: USER, gid: USER }, capabilities: {} })
  for (const [command, code] of [
    [['malipo', 'doctor'], 0],
    [['/bin/sh', '-c', ': > /malipo/written'], 2],
  ] as const)
    expect((await runTool('runc', ['exec', first.id, ...command])).code).toBe(code)
  await first.kill('KILL')
  const second = await served()
  const isThere = async (): Promise<boolean> =>
    (await verify(url, 'ORDER-2026-0001')).body.data['transaction_status'] === 'COMPLETED'
  await until(isThere, 60_000, 'the payment is there')
  expect(await second.kill('TERM')).toBe(0)
})

testHere('the simulator of an operator answers', { timeout: 3_600_000 }, async () => {
  await unpack('operators')
  const port = await freePort()
  start('operators', volume('operators'), {}, ['daraja', '--port', String(port)])
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/simulator/orders`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(answers, 120_000, 'the simulator answers')
})

testHere('the contract tests find that nothing listens', { timeout: 3_600_000 }, async () => {
  await unpack('contract-tests')
  const url = `http://127.0.0.1:${await freePort()}`
  const { exited, output } = start('contract-tests', volume('contract-tests'), {}, ['--url', url])
  expect(await exited, output()).toBe(2)
  expect(output()).toContain(url)
})

const ARM = 183
/** The machine of an ELF file. */
function machineOf(path: string): number | undefined {
  const head = Buffer.alloc(20)
  const file = openSync(path, 'r')
  readSync(file, head)
  closeSync(file)
  return head.toString('latin1', 1, 4) === 'ELF' ? head.readUInt16LE(18) : undefined
}

testHere.for(IMAGES.map(({ name }) => name))(
  'all programs of %s for arm64 are of arm64',
  { timeout: 3_600_000 },
  async (name) => {
    const root = await unpack(name, 'arm64')
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    const machines = files.map(({ parentPath, name: file }) => machineOf(join(parentPath, file)))
    expect(new Set(machines)).toEqual(new Set([undefined, ARM]))
    const { out } = await runTool('qemu-aarch64-static', ['-L', root, join(root, 'usr/local/bin/node'), '--version'])
    expect(out).toMatch(/^v24\./)
  },
)

testHere('two builds of all images are the same byte for byte', { timeout: 3_600_000 }, async () => {
  const files = await images()
  const mask = process.umask(0o077)
  onTestFinished(() => void process.umask(mask))
  await buildImages(join(folder, 'again'), join(folder, 'packages'))
  // The layout names all else by its digest.
  const index = (name: string): string => readFileSync(join(folder, name, 'oci/index.json'), 'utf8')
  expect(index('again')).toBe(index('images'))
  for (const file of files)
    expect(readFileSync(join(folder, 'again', basename(file))).equals(readFileSync(file))).toBe(true)
  const sizes = Object.fromEntries(files.map((file) => [basename(file), statSync(file).size]))
  console.log(sizes)
  for (const [file, size] of Object.entries(sizes))
    if (file.startsWith('gateway')) expect(size).toBeLessThan(GATEWAY_BYTES_MAX)
})
