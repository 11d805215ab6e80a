import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { present } from '../../domain/present.ts'
import { until } from '../../testing/served-gateway.ts'
import { run, toolPath, type Ran } from './tools.ts'

export interface SystemdMachine {
  systemctl(...args: readonly string[]): Promise<Ran>
  /** What systemd has said so far. */
  log(): string
  /** Ends it with everything that runs in it. */
  end(): Promise<void>
}

export interface SystemdMachineOptions {
  readonly units: string
  /** What becomes /etc/malipo/malipo.env. */
  readonly environment: Readonly<Record<string, string>>
  readonly start: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SCRIPT = fileURLToPath(new URL('systemd-machine.sh', import.meta.url))
const SYSTEMD = '/lib/systemd/systemd'
const NAMESPACES = ['--pid', '--fork', '--mount', '--uts', '--ipc', '--cgroup', '--kill-child']

/** Why no systemd can be booted here, if so. */
export async function whyNoSystemd(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root can boot one in namespaces of its own'
  for (const tool of ['unshare', 'nsenter', 'systemctl', SYSTEMD])
    if (!tool.startsWith('/') && toolPath(tool) === undefined) return `without ${tool}`
  const probe = 'test -x "$0" && mount --make-rprivate / && mount -t cgroup2 none /sys/fs/cgroup'
  const { code, text } = await run('unshare', [...NAMESPACES, 'sh', '-c', probe, SYSTEMD])
  return code === 0 ? undefined : `this machine does not allow it: ${text.trim()}`
}

/** A systemd of its own, with our units and this tree as /opt/malipo. */
export async function bootSystemd({ units, environment, start }: SystemdMachineOptions): Promise<SystemdMachine> {
  const settings = await mkdtemp(join(tmpdir(), 'malipo-etc-'))
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(settings, 'malipo.env'), lines.join(''), { mode: 0o600 })
  const args = [...NAMESPACES, 'sh', SCRIPT, ROOT, units, settings, start.join(' ')]
  const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const gone = new Promise((resolve) => child.on('exit', resolve))
  const pidOfInit = async () => {
    const { pid } = child
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    return text.trim() === '' ? undefined : text.trim()
  }
  const systemctl = async (...asked: readonly string[]) =>
    run('nsenter', ['-t', present(await pidOfInit(), 'systemd'), '-a', 'systemctl', ...asked])
  const end = async () => {
    child.kill('SIGKILL')
    await gone
    await rm(settings, { recursive: true, force: true })
  }
  try {
    const isUp = async () =>
      (await pidOfInit()) !== undefined && (await systemctl('list-units', '--no-pager')).code === 0
    await until(isUp, 20_000, 'systemd answers')
  } catch (error) {
    await end()
    throw new Error(`no systemd: ${said.join('')}`, { cause: error })
  }
  return { systemctl, log: () => said.join(''), end }
}
