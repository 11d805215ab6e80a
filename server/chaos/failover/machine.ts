import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A machine as far as the drill can tell: an address, files and processes of its own, and a cable that can be pulled. */
export interface Machine {
  readonly name: string
  readonly address: string
  /** What lies at /etc, /var and so on there, as it is reached from here. */
  readonly folder: string
  /** Starts a program there, as the user postgres. */
  spawn(program: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
  /** Sends it to all processes there. */
  signalAll(signal: NodeJS.Signals): Promise<void>
  /** Nothing goes in or out, and nobody is told: packets vanish. */
  unplug(): Promise<void>
  plug(): Promise<void>
  /** The same for some of the others alone. */
  loseWayTo(addresses: readonly string[]): Promise<void>
  findWayTo(addresses: readonly string[]): Promise<void>
}

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('machine.sh', import.meta.url))
const BRIDGE = 'machines'
const BITS = 24
const HOME = '/var/lib/postgresql'
/** A process that has just been started may have been missed. */
const ROUNDS = 3

/** The network between the machines; this process and its children are at that address. */
export async function startNetwork(address: string): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up'])
  await run('ip', ['link', 'add', 'name', BRIDGE, 'type', 'bridge'])
  await run('ip', ['address', 'add', `${address}/${BITS}`, 'dev', BRIDGE])
  await run('ip', ['link', 'set', BRIDGE, 'up'])
}

/** @param folder what its own files begin with */
export async function startMachine(name: string, address: string, folder: string): Promise<Machine> {
  const holder = spawn('unshare', ['--net', '--mount', 'sh', SCRIPT, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  const pid = String(holder.pid)
  const inside = ['--target', pid, '--net', '--mount']
  const ip = (...args: readonly string[]) => run('nsenter', [...inside, 'ip', ...args])
  const cable = `to-${name}`
  await run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid])
  await run('ip', ['link', 'set', cable, 'master', BRIDGE, 'up'])
  await ip('address', 'add', `${address}/${BITS}`, 'dev', 'eth0')
  await ip('link', 'set', 'eth0', 'up')
  const network = await readlink(`/proc/${pid}/ns/net`)
  const log = join(folder, 'log')

  return {
    name,
    address,
    folder,
    spawn(program, args, env) {
      const output = openSync(log, 'a')
      const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', program, ...args]
      const child = spawn('nsenter', [...inside, ...asPostgres], {
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME, LANG: 'C.UTF-8', ...env },
        stdio: ['ignore', output, output],
      })
      closeSync(output)
      return child
    },
    async signalAll(signal) {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const one of await pidsIn(network)) if (one !== holder.pid) send(one, signal)
    },
    unplug: async () => void (await run('ip', ['link', 'set', cable, 'down'])),
    plug: async () => void (await run('ip', ['link', 'set', cable, 'up'])),
    async loseWayTo(addresses) {
      for (const one of addresses) await ip('route', 'add', 'blackhole', `${one}/32`)
    },
    async findWayTo(addresses) {
      for (const one of addresses) await ip('route', 'del', 'blackhole', `${one}/32`)
    },
  }
}

/** Processes whose network it is: what a machine runs, whoever started it there. */
async function pidsIn(network: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const networks = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => '')))
  return pids.filter((_, index) => networks[index] === network).map(Number)
}

/** A process that has ended meanwhile is none to send it to. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
