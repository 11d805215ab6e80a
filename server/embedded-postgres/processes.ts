import { execFile } from 'node:child_process'
import { readFile, readdir, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** True for the user whom PostgreSQL refuses. */
export const isRoot = (): boolean => process.geteuid?.() === 0

/** Waits until `met` answers something other than undefined or false; undefined when the time was over first. */
export async function waitFor<T>(
  met: () => T | Promise<T>,
  timeoutMs: number,
  pauseMs = 10,
): Promise<Exclude<T, undefined | false> | undefined> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const result = await met()
    if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>
    if (performance.now() >= deadline) return undefined
    await delay(pauseMs)
  }
}

/** What tells a process from a later one with the same pid; undefined when no such process lives. */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return (await ps(pid, 'lstart=')) ?? undefined
  const found = await linuxStat(pid)
  return found && `${await bootId()} ${found.startTicks}`
}

const bootId = () =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => 'unknown boot',
  )

/** A zombie does not count as living: in a container without an init process nobody ever takes it away. */
export async function isAlive(pid: number): Promise<boolean> {
  return process.platform === 'linux' ? (await linuxStat(pid)) !== undefined : isTaken(pid)
}

/** Is the pid taken, be it by a zombie? PostgreSQL asks no more than this before it believes a lock file. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends the signal; a process that is gone already is what the caller wanted. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function linuxStat(pid: number): Promise<{ name: string; startTicks: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name stands in parentheses and may itself contain spaces and parentheses (proc_pid_stat(5)).
  const match = text === undefined ? null : /^\d+ \((?<name>.*)\) (?<rest>.*)$/s.exec(text)
  const fields = match?.groups?.['rest']?.split(' ') ?? []
  const [state, startTicks, name] = [fields[0], fields[19], match?.groups?.['name']]
  if (startTicks === undefined || name === undefined || state === 'Z' || state === 'X') return undefined
  return { name, startTicks }
}

/**
 * Is this process a PostgreSQL that works in the cluster folder? A pid from a file left behind may belong to anything
 * by now, and it must never be signalled then. `socketFolder` stands on the command line of every server we start.
 */
export async function isPostgresOf(pid: number, cluster: string, socketFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') return ((await ps(pid, 'command=')) ?? '').includes(socketFolder)
  const found = await linuxStat(pid)
  // Only the first 15 bytes are kept and the name is that of the file: `postgres`, for its children too.
  if (found === undefined || found.name !== 'postgres') return false
  const inFolder = await worksIn(pid, cluster)
  // Root without CAP_SYS_PTRACE (a plain container) may not look at a process of `nobody`; its command line it may
  // read.
  return inFolder ?? (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').includes(socketFolder)
}

/** Compares by inode, so that a folder that was renamed is still the same; undefined when we may not look. */
async function worksIn(pid: number, cluster: string): Promise<boolean | undefined> {
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? undefined : false
  }
}

/** Every living PostgreSQL process of the cluster folder, the children of a dead server included. Linux only. */
export async function postgresProcessesOf(cluster: string, socketFolder: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const ours = await Promise.all(pids.map((pid) => isPostgresOf(pid, cluster, socketFolder)))
  return pids.filter((_, index) => ours[index])
}

const ps = (pid: number, column: string): Promise<string | undefined> =>
  run('ps', ['-p', String(pid), '-o', column]).then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  )
