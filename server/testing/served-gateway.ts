import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))

export interface ServedGateway {
  readonly url: string
  readonly child: ChildProcess
  /** Everything it has written so far. */
  output(): string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>
}

export interface ServeOptions {
  readonly dataDir: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** `malipo serve` as its own process, ready to answer. */
export async function serve({ dataDir, port, env }: ServeOptions): Promise<ServedGateway> {
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: { PATH: process.env.PATH, MALIPO_DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const exited = new Promise<number | NodeJS.Signals>((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal!)))
  const gateway: ServedGateway = { url: `http://127.0.0.1:${port}`, child, output: () => written.join(''), exited }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}: ${gateway.output()}`)
    return (await fetch(`${gateway.url}/health/ready`).then(({ status }) => status, () => 0)) === 200
  }, 30_000, 'the gateway is ready')
  return gateway
}

/** Runs a command of the command line and gives what it printed. @throws Error with its error text when it fails */
export function runCli(args: readonly string[], dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { env: { PATH: process.env.PATH, MALIPO_DATA_DIR: dataDir, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString() })
    child.stderr.on('data', (chunk: Buffer) => { err += chunk.toString() })
    child.on('exit', (code) => (code === 0 ? resolve(out) : reject(new Error(`malipo ${args.join(' ')} ended with ${code}: ${err}`))))
  })
}

/** Asks again and again until it is so. @throws Error naming what did not come true in time */
export async function until(isSo: () => boolean | Promise<boolean>, timeoutMs: number, what: string): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
