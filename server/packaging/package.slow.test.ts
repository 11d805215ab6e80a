import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { packInto } from './pack.ts'
import { PACKAGES, tarballOf } from '../../openapi/packages.ts'
import { childEnv } from '../verification/testing/child-env.ts'
import { firstCallback, isReady, VERIFIED } from '../verification/testing/first-callback.ts'
import { freePort } from '../verification/testing/free-port.ts'
import { testNightly } from '../verification/testing/nightly.ts'
import { serve, until } from '../verification/testing/served-gateway.ts'
import { skipReason } from '../verification/testing/skip-reason.ts'
import { temporaryFolder } from '../verification/testing/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const gateway = PACKAGES.find(({ name }) => name === '@malipo/gateway')!
const INSTALLED_MB_MAX = 250
const { path: folder } = temporaryFolder()
await packInto(folder, [gateway])
const tarball = join(folder, tarballOf(gateway))

test('the package is built JavaScript that serves a payment, docs and contract', async () => {
  spawnSync('tar', ['xzf', tarball], { cwd: folder })
  const built = join(folder, 'package')
  symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'))
  expect(globSync('{bin,server,openapi}/**/*.{ts,map}', { cwd: built })).toEqual([])
  const cli = join(built, 'bin', 'malipo.cjs')
  const served = await serve({ dataDir: join(folder, 'data'), port: await freePort(), cli })
  onTestFinished(() => void served.child.kill('SIGKILL'))
  expect(await firstCallback(served.url)).toMatchObject(VERIFIED)
  for (const path of ['/docs', '/docs/one-file', '/docs/admin', '/docs/first-collection', '/openapi-3.0.json'])
    expect((await fetch(served.url + path)).status, path).toBe(200)
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
})

testNightly('the gateway packed twice is the same byte for byte', async () => {
  const other = join(folder, 'again')
  const pack = `import { packInto } from ${JSON.stringify(new URL('pack.ts', import.meta.url).href)}
    process.umask(0o077); await packInto(${JSON.stringify(other)}, ${JSON.stringify([gateway])})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', pack], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  expect((await readFile(join(other, tarballOf(gateway)))).equals(await readFile(tarball))).toBe(true)
})

test('says which Node it needs', () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });"
  const cli = JSON.stringify(join(root, 'server/packaging/malipo.cjs'))
  const { status, stderr } = spawnSync(process.execPath, ['-e', `${old} require(${cli})`], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'malipo: this is Node 20.20.2, and Node 22.19 or 24 is needed.\n',
  })
})

/** As the packages list of its makers has it: without the override its dependencies cannot be met. */
const REGISTRY = { private: true, dependencies: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } }
const REGISTRY_CONFIG = `
storage: ./storage
uplinks: { npmjs: { url: '${process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/'}' } }
packages: { '@malipo/*': { access: $all, publish: $all }, '**': { access: $all, proxy: npmjs } }
max_body_size: 50mb
log: { type: stdout, format: json, level: error }
`

/** Starts a registry that has our packages, and passes on all others. @returns its URL, unless it cannot be installed */
async function startRegistry(): Promise<string | undefined> {
  const home = join(folder, 'registry')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), JSON.stringify(REGISTRY))
  writeFileSync(join(home, 'config.yaml'), REGISTRY_CONFIG)
  spawnSync('npm', ['install', '--ignore-scripts', '--prefer-offline'], { cwd: home })
  const program = join(home, 'node_modules/verdaccio/bin/verdaccio')
  if (!existsSync(program)) return undefined
  const port = await freePort()
  const running = spawn(process.execPath, [program, '-c', 'config.yaml', '-l', `127.0.0.1:${port}`], {
    cwd: home,
    stdio: 'ignore',
  })
  onTestFinished(() => void running.kill())
  const url = `http://127.0.0.1:${port}/`
  await until(
    () =>
      fetch(`${url}-/ping`).then(
        ({ ok }) => ok,
        () => false,
      ),
    60_000,
    'the registry answers',
  )
  writeFileSync(join(folder, 'npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=none\n`)
  return url
}

const megabytes = (path: string): number =>
  globSync('**', { cwd: path }).reduce((sum, name) => sum + lstatSync(join(path, name)).blocks, 0) / 2048

/** `npx @malipo/gateway` in an empty folder, with nothing in npm's cache. @returns seconds to the first callback */
async function npx(name: string): Promise<{ readonly seconds: number; readonly cache: string }> {
  const [home, cache] = [join(folder, name), join(folder, `${name}-cache`)]
  mkdirSync(home)
  const port = await freePort()
  const begin = performance.now()
  const env = {
    ...childEnv(),
    HOME: home,
    PORT: String(port),
    npm_config_cache: cache,
    npm_config_userconfig: join(folder, 'npmrc'),
  }
  const started = spawn('npx', ['-y', '@malipo/gateway'], { cwd: home, env, stdio: 'ignore', detached: true })
  onTestFinished(() => void process.kill(-started.pid!, 'SIGTERM'))
  const url = `http://127.0.0.1:${port}`
  await until(() => isReady(url), 300_000, 'the gateway is ready')
  expect(await firstCallback(url)).toMatchObject(VERIFIED)
  return { seconds: (performance.now() - begin) / 1000, cache }
}

testNightly('npx in an empty folder brings a verified callback, in 250 MB', { timeout: 900_000 }, async () => {
  if ((await startRegistry()) === undefined)
    return skipReason('no registry can be installed here', 'npx @malipo/gateway from a registry')
  const { status, stderr } = spawnSync('npm', ['publish', tarball], {
    encoding: 'utf8',
    env: { ...process.env, npm_config_userconfig: join(folder, 'npmrc') },
  })
  expect(status, stderr).toBe(0)
  // The first one fills the registry.
  await npx('first')
  const { seconds, cache } = await npx('second')
  const size = megabytes(join(cache, '_npx'))
  console.log(
    `npx @malipo/gateway: first verified callback after ${seconds.toFixed(0)} s, ${size.toFixed(0)} MB installed`,
  )
  expect(size).toBeLessThan(INSTALLED_MB_MAX)
})
