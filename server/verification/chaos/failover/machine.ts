import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { signal } from '../../../local/embedded-postgres/processes.ts'

/**
 * A machine as far as the drill is concerned: an address, files and processes of its own, and a network cable that can
 * be unplugged.
 */
export interface Machine {
  readonly name: string
  readonly address: string
  /** Where its /etc, /var and so on are, as seen from here. */
  readonly folder: string
  /** Starts a program on it as the user postgres. */
  spawn(program: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
  /** Sends a signal to all its processes. */
  signalAll(name: NodeJS.Signals): Promise<void>
  /** Unplugs it: packets vanish in both directions, and no side gets an error. */
  unplug(): Promise<void>
  plug(): Promise<void>
  /** The same, but only towards some of the other machines. */
  loseWayTo(addresses: readonly string[]): Promise<void>
  findWayTo(addresses: readonly string[]): Promise<void>
}

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('machine.sh', import.meta.url))
const BRIDGE = 'machines'
const BITS = 24
const HOME = '/var/lib/postgresql'
/** Signal rounds: one round may miss a process that has just been started. */
const ROUNDS = 3

/** The network between the machines; this process and its children have that address. */
export async function startNetwork(address: string): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up'])
  await run('ip', ['link', 'add', 'name', BRIDGE, 'type', 'bridge'])
  await run('ip', ['address', 'add', `${address}/${BITS}`, 'dev', BRIDGE])
  await run('ip', ['link', 'set', BRIDGE, 'up'])
}

/** @param folder the prefix of its own files */
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
    async signalAll(name) {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const one of await pidsIn(network)) if (one !== holder.pid) signal(one, name)
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

/** Processes in its network namespace: everything the machine runs, whoever started it there. */
async function pidsIn(network: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const networks = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => '')))
  return pids.filter((_, index) => networks[index] === network).map(Number)
}
