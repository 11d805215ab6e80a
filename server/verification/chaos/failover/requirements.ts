import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

/** The programs that the drill starts, and the Debian packages that provide them. */
const NEEDED: Readonly<Record<string, string>> = {
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/python3/dist-packages/etcd': 'python3-etcd',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/openssl': 'openssl',
  '/usr/sbin/ip': 'iproute2',
  '/usr/bin/nsenter': 'util-linux',
  '/usr/bin/setpriv': 'util-linux',
}
/** Each machine of the drill has its own network and its own mounts in the file system. */
export const OWN_NAMESPACES = ['--net', '--pid', '--mount', '--fork', '--kill-child', '--mount-proc'] as const

/** Debian packages that are not installed. */
function missingPackages(): readonly string[] {
  const missing = Object.entries(NEEDED).filter(([path]) => !existsSync(path))
  return [...new Set(missing.map(([, name]) => name))]
}

/**
 * Installs missing packages when running as root.
 * @returns why the drill cannot run here, if so
 */
export async function whyNot(log: (line: string) => void): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs network namespaces, which Linux has'
  const missing = missingPackages()
  const isRoot = process.getuid?.() === 0
  if (missing.length > 0) {
    const wanted = `Debian's ${missing.join(', ')} (apt-get install ${missing.join(' ')})`
    if (!isRoot) return `without ${wanted}; only root can install them`
    log(`installing ${missing.join(', ')}`)
    const said = await install(missing)
    const still = missingPackages()
    if (still.length > 0) return `without ${wanted}, which could not be installed: ${said}`
  }
  if (!isRoot) return 'only root can give each machine a network of its own, and run PostgreSQL as the user postgres'
  return promisify(execFile)('unshare', [
    ...OWN_NAMESPACES,
    'ip',
    'link',
    'add',
    'name',
    'probe',
    'type',
    'bridge',
  ]).then(
    () => undefined,
    (error: Error) => `this machine allows no networks of its own: ${error.message.trim()}`,
  )
}

/** @returns the end of the output of apt-get */
function install(packages: readonly string[]): Promise<string> {
  // At runlevel 1 Debian's scripts install services without starting them.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const command = 'apt-get update -q && apt-get install -q -y --no-install-recommends "$@"'
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command, 'sh', ...packages], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-500)
      })
    child.on('error', (error) => resolve(error.message))
    child.on('close', () => resolve(said.trim()))
  })
}
