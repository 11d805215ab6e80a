import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isAlive, isPostgresOf, signal, waitFor } from '../../local/embedded-postgres/processes.ts'
import { postmasterIn } from '../testing/postmaster.ts'

export const PROJECT_ROOT = join(import.meta.dirname, '../../..')
export const RESULTS_FOLDER = join(PROJECT_ROOT, 'dist/bench')
/** The gateway finishes its running jobs before it exits; it never takes longer than this. */
const STOP_PATIENCE_MS = 25_000

export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  /** Ends the process and its children. */
  stop(): Promise<void>
}

interface ProcessOptions {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where stdout and stderr go, as in production. Absent: they are discarded. */
  readonly logFile?: string
  readonly cwd?: string
  /** The process to signal when it is not the one that was started (npm does not always forward signals). */
  readonly signalTo?: (pid: number) => Promise<number | undefined>
}

const children = new Set<Child>()
const folders = new Set<string>()
const cleanings: (() => Promise<void>)[] = []

/** Runs at the end of the bench, after its processes have ended. */
export const onCleanUp = (clean: () => Promise<void>): void => void cleanings.push(clean)

/** Starts a program that this bench ends in every case but a kill -9 of the bench itself. */
export function start(
  command: string,
  { args, env = {}, logFile, cwd = PROJECT_ROOT, signalTo }: ProcessOptions,
): Child {
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'a')
  // Detached: Ctrl-C in the terminal reaches only the bench, which then ends its children in order.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    detached: true,
  })
  if (typeof log === 'number') closeSync(log)
  return track(child, signalTo)
}

/** Tracks a process until it exits, so that none outlives the bench. */
export function track(child: ChildProcess, signalTo?: ProcessOptions['signalTo']): Child {
  // A program that fails to start has no pid; whoever waits for its reply notices.
  child.once('error', () => {})
  const pid = child.pid ?? 0
  let stopping: Promise<void> | undefined
  const tracked: Child = { process: child, pid, stop: () => (stopping ??= stopOnce()) }
  const stopOnce = async () => {
    if (pid === 0 || hasEnded(child)) return void children.delete(tracked)
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    signal((await signalTo?.(pid)) ?? pid, 'SIGTERM')
    if (!(await Promise.race([gone.then(() => true), pause(STOP_PATIENCE_MS, false, { ref: false })])))
      signal(pid, 'SIGKILL')
    await gone
    children.delete(tracked)
  }
  children.add(tracked)
  child.once('exit', () => children.delete(tracked))
  return tracked
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** A folder next to the results, on the project's disk: a system's /tmp may be in memory, where fsync costs nothing. */
export async function temporaryFolder(): Promise<string> {
  await mkdir(RESULTS_FOLDER, { recursive: true })
  const folder = await mkdtemp(join(RESULTS_FOLDER, 'run-'))
  folders.add(folder)
  return folder
}

/** Ends every process this bench has started and removes every file it has written, except the results. */
export async function cleanUp(): Promise<void> {
  await Promise.allSettled([...children].map((child) => child.stop()))
  for (const folder of folders) {
    await stopOrphanedPostgres(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    folders.delete(folder)
  }
  for (const clean of cleanings.splice(0)) await clean()
}

/** A killed gateway leaves its PostgreSQL running: end the one in our own folder, and no other. */
async function stopOrphanedPostgres(folder: string): Promise<void> {
  const pid = await postmasterIn(join(folder, 'postgres'))
  if (pid === undefined || !(await isPostgresOf(pid, join(folder, 'postgres'), folder))) return
  signal(pid, 'SIGINT')
  await waitFor(async () => !(await isAlive(pid)), 5_000)
}

interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly residentMb: number
  readonly commandLine: string
}

async function listProcesses(): Promise<readonly ProcessInfo[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { maxBuffer: 16_000_000 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, kilobytes, commandLine] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return commandLine === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), residentMb: Number(kilobytes) / 1024, commandLine }]
  })
}

/** The process itself or its descendant whose command line matches. */
export async function findBelow(pid: number, matches: RegExp): Promise<ProcessInfo | undefined> {
  const all = await listProcesses()
  const below = new Set([pid])
  for (let grown = -1; grown !== below.size;) {
    grown = below.size
    for (const found of all) if (below.has(found.parent)) below.add(found.pid)
  }
  // Take the deepest: the command lines of npm and the shell contain the same words.
  return all.filter((found) => below.has(found.pid) && matches.test(found.commandLine)).at(-1)
}

/** Resident memory of a process in megabytes; NaN when it is gone. */
export async function residentMb(pid: number): Promise<number> {
  return (await listProcesses()).find((found) => found.pid === pid)?.residentMb ?? Number.NaN
}

/**
 * Polls until the status is 200.
 * @returns milliseconds since the call
 * @throws when the process exits first or the time is up
 */
export async function untilAnswers(
  url: string,
  headers: Readonly<Record<string, string>>,
  child: Child,
  timeoutMs: number,
): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < timeoutMs) {
    const status = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) }).then(
      async (reply) => (await reply.arrayBuffer(), reply.status),
      () => 0,
    )
    if (status === 200) return performance.now() - startedAt
    if (hasEnded(child.process) || child.pid === 0)
      throw new Error(`it ended before it answered (${child.process.spawnargs.join(' ')})`)
    await pause(5)
  }
  throw new Error(`no 200 from ${url} within ${timeoutMs} ms`)
}
