import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../../../server/verification/testing/until.ts'
import { run } from './terminal.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const OPEN_MS_MAX = 60_000

/** A text in a file of the shop, and its replacement. */
export interface Patch {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A running shop written by `new shop`. */
export interface Shop {
  readonly folder: string
  readonly url: string
  /** What `check` needs to know, from the shop's package.json, with the port of this shop. */
  readonly checkArguments: readonly string[]
  readonly stop: () => Promise<void>
}

/** Writes a Fastify shop with `new shop` into a folder outside the project; its packages are the project's own. */
async function writeFastifyShop(patches: readonly Patch[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-shop-'))
  const { exitCode, complained } = await run(['new', 'shop', folder], tmpdir())
  if (exitCode !== 0) throw new Error(complained.join('\n'))
  mkdirSync(join(folder, 'node_modules', '@malipo'), { recursive: true })
  symlinkSync(join(ROOT, 'client'), join(folder, 'node_modules', '@malipo', 'client'))
  symlinkSync(join(ROOT, 'node_modules', 'fastify'), join(folder, 'node_modules', 'fastify'))
  for (const patch of patches) apply(folder, patch)
  return folder
}

function apply(folder: string, { file, from, to }: Patch): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not have the text once: ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
}

/** Where a shop listens, and which gateway it calls. */
interface ShopOptions {
  readonly port: number
  readonly gatewayUrl: string
}

/** Starts a shop that was written with these patches. */
export async function startFastifyShop({
  patches,
  ...options
}: ShopOptions & { readonly patches?: readonly Patch[] }): Promise<Shop> {
  return startShopIn(await writeFastifyShop(patches), options)
}

/** Starts the Fastify shop of a folder as its own process, as `npm run dev` does. Its stop removes the folder. */
export async function startShopIn(folder: string, { port, gatewayUrl }: ShopOptions): Promise<Shop> {
  const command = [process.execPath, '--env-file=.env.development', 'web/server.ts'] as const
  const shop = await startProgram(folder, port, command, { PATH: process.env.PATH, MALIPO_URL: gatewayUrl })
  return { ...shop, checkArguments: checkArgumentsOf(folder, shop.url) }
}

/**
 * Starts a shop of any language in development mode, and waits until it shows its effects. Its stop ends its workers too,
 * and removes the folder.
 */
export async function startProgram(
  folder: string,
  port: number,
  [program, ...args]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
): Promise<Omit<Shop, 'checkArguments'>> {
  const url = `http://127.0.0.1:${port}`
  const env = { ...environment, PORT: String(port) }
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const isOpen = async () => {
    if (child.exitCode !== null) throw new Error(`the shop ended with ${child.exitCode}: ${written.join('')}`)
    return fetch(`${url}/dev/effects`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  try {
    await until(isOpen, OPEN_MS_MAX, 'the shop is open')
  } catch (error) {
    await stop()
    throw error
  }
  return { folder, url, stop }
}

/** The command of `npm run check`, so that the test runs what the shop's README says. */
export function checkArgumentsOf(folder: string, url: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: { check: string } }
  return scripts.check
    .split(' ')
    .slice(1)
    .map((word) => (word.startsWith('/') ? url + word : word))
}
