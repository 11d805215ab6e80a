import { execFile } from 'node:child_process'
import { cpus, platform, release, totalmem } from 'node:os'
import { promisify } from 'node:util'

/** The environment of a measurement: without it nobody else can interpret the figures. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  readonly commit: string
}

/** What the figures depend on apart from the program. */
export async function describeMachine(projectRoot: string): Promise<Machine> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: projectRoot })).stdout.trim()
  const commit = await git('rev-parse', '--short=12', 'HEAD').catch(() => 'unknown')
  const changed = await git('status', '--porcelain', '--', 'server', 'generated', 'package-lock.json').catch(() => '')
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    commit: changed === '' ? commit : `${commit} with uncommitted changes`,
  }
}

/** Seconds of processor time since boot: all cores together, and how much of it was idle. */
export function processorSeconds(): { readonly all: number; readonly idle: number } {
  const times = cpus().map((core) => core.times)
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { all: all / 1000, idle: times.reduce((sum, { idle }) => sum + idle, 0) / 1000 }
}
