import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import { childEnv } from '../../../verification/testing/child-env.ts'
import { atEndOfFile } from '../../../verification/testing/end-of-file.ts'
import { until } from '../../../verification/testing/served-gateway.ts'
import { withReason } from '../../../verification/testing/staff-reason.ts'
import type { Command, Outcome } from './command-host.ts'

// Runs the real command line in separate processes, in a temporary folder. Commands that only query a running database
// share a process with the commands before them.

export const CLI = join(import.meta.dirname, '../../../cli.ts')
const home = realpathSync(mkdtempSync(join(tmpdir(), 'malipo-cli-')))
const DEADLINE_MS = 60_000

export type Environment = Readonly<Record<string, string>>
const USUAL: Environment = { ...childEnv(), PORT: '0', MALIPO_SANDBOX_DELAY_MS: '50' }

export interface Run {
  readonly child: ChildProcess
  out: string
  err: string
  readonly ended: Promise<number | NodeJS.Signals>
}

const running = new Set<Run>()
export const isRunning = (run: Run): boolean => running.has(run)

// Processes for commands also serve the test files after this one.
process.once('exit', () => rmSync(home, { recursive: true, force: true }))

/** The setting for a data folder of this name. */
export const folder = (name: string): { MALIPO_DATA_DIR: string } => ({ MALIPO_DATA_DIR: join(home, name) })

export function start(command: string, args: readonly string[], env: Environment): Run {
  const child = spawn(command, args, {
    cwd: home,
    env: { ...USUAL, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run: Run = {
    child,
    out: '',
    err: '',
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve(present(code ?? signal, 'its end')))),
  }
  child.stdout.on('data', (chunk: Buffer) => {
    run.out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    run.err += chunk
  })
  running.add(run)
  void run.ended.then(() => running.delete(run))
  atEndOfFile(() => stop(run))
  return run
}

export const startCli = (args: readonly string[], env: Environment): Run => start(process.execPath, [CLI, ...args], env)

export const stop = (run: Run, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> => {
  run.child.kill(signal)
  return run.ended
}

interface CommandResult {
  readonly code: number | NodeJS.Signals
  readonly out: string
  readonly err: string
}

/** Runs in a process of its own, which ends with the command. */
async function malipoAlone(args: readonly string[], env: Environment): Promise<CommandResult> {
  const run = startCli(withReason(args), env)
  const code = await run.ended
  return { code, out: run.out, err: run.err }
}

interface Host {
  readonly child: ChildProcess
  /** Only ever rejects: a host ends with the test process. */
  readonly ended: Promise<never>
}
const idle: Host[] = []

function newHost(): Host {
  // Nobody can answer a prompt for missing values.
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = fork(join(import.meta.dirname, 'command-host.ts'), { cwd: home, execArgv: [], stdio: [...stdio] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of the commands ended with ${code}`)
  })
  ended.catch(() => undefined)
  const host = { child, ended }
  return host
}

/** Runs one command: if it starts no database, in a process that has run others. */
export const malipo = (args: readonly string[], env: Environment): Promise<CommandResult> =>
  env.DATABASE_URL === undefined ? malipoAlone(args, env) : malipoAmongOthers(args, env)

/** Runs in a process that has run other commands; two concurrent commands get one each. */
export async function malipoAmongOthers(args: readonly string[], env: Environment): Promise<CommandResult> {
  const host = idle.pop() ?? newHost()
  const command: Command = { args: withReason(args), env: { ...USUAL, ...env } }
  host.child.send(command)
  const [outcome] = (await Promise.race([once(host.child, 'message'), host.ended])) as [Outcome]
  const { leftOpen, ...ended } = outcome
  expect(leftOpen, `malipo ${args.join(' ')} left open`).toEqual([])
  idle.push(host)
  return ended
}

/** Parses what a command prints with --json. */
export async function json<Value = Record<string, unknown>>(args: readonly string[], env: Environment): Promise<Value> {
  const { code, out, err } = await malipo([...args, '--json'], env)
  expect(code, err).toBe(0)
  return JSON.parse(out) as Value
}

/** Invites the first admin of a database in live mode, and logs in. @returns the environment of their commands */
export async function asFirstAdmin(env: Environment): Promise<Environment> {
  const as = { ...env, XDG_CONFIG_HOME: mkdtempSync(join(home, 'admin-')) }
  const { login_code: code } = await json<{ login_code: string }>(['people', 'first-admin', 'a@malipo.example'], env)
  await json(['login', code], as)
  return as
}

/** Polls for as long as a test may take. @returns the value that it polled */
export const soon = <Value>(poll: () => Value | Promise<Value>, what: string) => until(poll, DEADLINE_MS, what)

/** Starts a gateway with `serve`, and reads its URL from the banner. */
export async function serve(env: Environment): Promise<Run & { url: string }> {
  const run = startCli(['serve'], env)
  void run.ended.then((code) => {
    run.err += `\n(ended with ${code})`
  })
  const url = await soon(() => {
    if (!isRunning(run)) throw new Error(`serve ended: ${run.err}`)
    return /Stop with Ctrl\+C/.test(run.out) && /API +(http\S+)/.exec(run.out)?.[1]
  }, 'the banner')
  return Object.assign(run, { url })
}
