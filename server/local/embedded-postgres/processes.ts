import { execFile } from 'node:child_process'
import { readFile, readdir, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** True for the user as whom PostgreSQL refuses to run. */
export const isRoot = (): boolean => process.geteuid?.() === 0

/** Waits until `met` returns something other than undefined or false; undefined on a timeout. */
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

/** Distinguishes a process from a later one with the same pid; undefined when no such process lives. */
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

/** A zombie does not count as alive: in a container without an init process nothing ever reaps it. */
export async function isAlive(pid: number): Promise<boolean> {
  return process.platform === 'linux' ? (await linuxStat(pid)) !== undefined : isTaken(pid)
}

/** Whether any process has the pid, even a zombie. PostgreSQL checks no more than this before it trusts a lock file. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends the signal; ignores a process that has ended already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function linuxStat(pid: number): Promise<{ name: string; startTicks: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name is in parentheses and may itself contain spaces and parentheses (proc_pid_stat(5)).
  const match = text === undefined ? null : /^\d+ \((?<name>.*)\) (?<rest>.*)$/s.exec(text)
  const fields = match?.groups?.['rest']?.split(' ') ?? []
  const [state, startTicks, name] = [fields[0], fields[19], match?.groups?.['name']]
  if (startTicks === undefined || name === undefined || state === 'Z' || state === 'X') return undefined
  return { name, startTicks }
}

/**
 * Is this process a PostgreSQL that works in the cluster folder? The pid in a stale file may belong to any process by
 * now, which must never be signalled. `socketFolder` is on the command line of every server that we start.
 */
export async function isPostgresOf(pid: number, cluster: string, socketFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') return ((await ps(pid, 'command=')) ?? '').includes(socketFolder)
  const found = await linuxStat(pid)
  // The kernel keeps only the first 15 bytes, and the name is that of the file: `postgres`, for its children too.
  if (found === undefined || found.name !== 'postgres') return false
  const inFolder = await worksIn(pid, cluster)
  // Root without CAP_SYS_PTRACE (a plain container) may not inspect a process of `nobody`, but may read its command
  // line.
  return inFolder ?? (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').includes(socketFolder)
}

/** Compares by inode, so that a renamed folder still matches; undefined without permission to look. */
async function worksIn(pid: number, cluster: string): Promise<boolean | undefined> {
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? undefined : false
  }
}

/** Every live PostgreSQL process of the cluster folder, including children of a dead server. Linux only. */
export async function postgresProcessesOf(cluster: string, socketFolder: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const isOwn = await Promise.all(pids.map((pid) => isPostgresOf(pid, cluster, socketFolder)))
  return pids.filter((_, index) => isOwn[index])
}

const ps = (pid: number, column: string): Promise<string | undefined> =>
  run('ps', ['-p', String(pid), '-o', column]).then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  )
