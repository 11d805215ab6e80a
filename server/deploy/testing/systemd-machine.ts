import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { present } from '../../domain/present.ts'
import { until } from '../../verification/testing/served-gateway.ts'
import { firstBelow, run, toolPath, type ToolResult } from './tools.ts'

interface SystemdMachine {
  /** Runs a program in it, as root. */
  run(name: string, ...args: readonly string[]): Promise<ToolResult>
  /** The output of systemd so far. */
  log(): string
  /** Ends it and every process in it. */
  end(): Promise<void>
}

interface SystemdMachineOptions {
  readonly units: string
  /** The content of /etc/malipo/malipo.env. */
  readonly environment: Readonly<Record<string, string>>
  readonly start: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SCRIPT = fileURLToPath(new URL('systemd-machine.sh', import.meta.url))
const SYSTEMD = '/lib/systemd/systemd'
const NAMESPACES = ['--pid', '--fork', '--mount', '--uts', '--ipc', '--cgroup', '--kill-child']

/** Why systemd cannot be booted here, if so. */
export async function whyNoSystemd(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root can boot one in namespaces of its own'
  for (const tool of ['unshare', 'nsenter', 'systemctl', SYSTEMD])
    if (!tool.startsWith('/') && toolPath(tool) === undefined) return `without ${tool}`
  const probe = 'test -x "$0" && mount --make-rprivate / && mount -t cgroup2 none /sys/fs/cgroup'
  const { code, text } = await run('unshare', [...NAMESPACES, 'sh', '-c', probe, SYSTEMD])
  return code === 0 ? undefined : `this machine does not allow it: ${text.trim()}`
}

/** Boots a systemd of its own, with our units and this tree as /opt/malipo. */
export async function bootSystemd({ units, environment, start }: SystemdMachineOptions): Promise<SystemdMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-machine-'))
  const [settings, scratch] = [join(folder, 'settings'), join(folder, 'scratch')]
  for (const path of [settings, scratch]) await mkdir(path)
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'\n`)
  await writeFile(join(settings, 'malipo.env'), lines.join(''), { mode: 0o600 })
  const args = [...NAMESPACES, 'sh', SCRIPT, ROOT, units, settings, start.join(' '), scratch]
  const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const gone = new Promise((resolve) => child.on('exit', resolve))
  const runInside = async (name: string, ...requested: readonly string[]) =>
    run('nsenter', ['-t', String(present(await firstBelow(child.pid), 'systemd')), '-a', name, ...requested])
  const end = async () => {
    process.kill(present((await firstBelow(child.pid)) ?? child.pid, 'a process'), 'SIGKILL')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const isUp = async () =>
      (await firstBelow(child.pid)) !== undefined &&
      (await runInside('systemctl', 'list-units', '--no-pager')).code === 0
    await until(isUp, 60_000, 'systemd answers')
  } catch (error) {
    await end()
    throw new Error(`no systemd: ${said.join('')}`, { cause: error })
  }
  return { run: runInside, log: () => said.join(''), end }
}
