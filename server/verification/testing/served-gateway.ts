import { spawn, type ChildProcess } from 'node:child_process'
import type { Role } from '../../config.ts'
import { present } from '../../domain/present.ts'
import { childEnv } from './child-env.ts'
import { CLI, runCommand } from './run-command.ts'
import { SANDBOX_RAILS } from './sandbox-rails.ts'
import { withReason } from './staff-reason.ts'
import { until } from './until.ts'

export { until } from './until.ts'

/** A start takes two seconds; on a machine with ten times more work than cores it took 30. */
const READY_MS_MAX = 60_000

export interface ServedGateway {
  readonly role: Role
  /** Its URL; a worker has none. */
  readonly url: string
  readonly child: ChildProcess
  /** Its output so far. */
  output(): string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>
}

export interface ServeOptions {
  readonly dataDir: string
  readonly port: number
  /** `all` by default. */
  readonly role?: Role
  readonly env?: Readonly<Record<string, string>>
  /** The command line of another tree: another release. */
  readonly cli?: string
}

/** `malipo serve` as its own process, ready to reply, or to work. */
export async function serve({ dataDir, port, role = 'all', env, cli = CLI }: ServeOptions): Promise<ServedGateway> {
  const child = spawn(process.execPath, [cli, 'serve', '--role', role], {
    env: {
      ...childEnv(),
      MALIPO_DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...SANDBOX_RAILS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const exited = new Promise<number | NodeJS.Signals>((resolve) =>
    child.on('exit', (code, signal) => resolve(present(code ?? signal, 'how the process ended'))),
  )
  const gateway: ServedGateway = {
    role,
    url: `http://127.0.0.1:${port}`,
    child,
    output: () => written.join(''),
    exited,
  }
  const isReady = async () =>
    role === 'worker'
      ? gateway.output().includes('Malipo works')
      : (await fetch(`${gateway.url}/health/ready`).then(
          ({ status }) => status,
          () => 0,
        )) === 200
  try {
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}: ${gateway.output()}`)
        return isReady()
      },
      READY_MS_MAX,
      'the gateway is ready',
    )
  } catch (error) {
    child.kill('SIGKILL') // nothing else knows this process: it would be left running
    throw error
  }
  return gateway
}

/**
 * Runs a command of the command line and returns its output.
 * @throws Error with its error text when it fails
 */
export async function runCli(
  args: readonly string[],
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  cli?: string,
): Promise<string> {
  const { code, out, err } = await runCommand(
    withReason(args),
    { ...childEnv(), MALIPO_DATA_DIR: dataDir, ...env },
    cli,
  )
  if (code !== 0) throw new Error(`malipo ${args.join(' ')} ended with ${code}: ${err || out}`)
  return out
}
