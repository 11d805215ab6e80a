import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// The drill uses the examples of server/deploy unchanged. Only what differs between machines is filled in.

/** The configuration of HAProxy, with values from the environment. */
export const HAPROXY_FILE = fileURLToPath(new URL('../../../deploy/haproxy/database.cfg', import.meta.url))
const PATRONI_FOLDER = fileURLToPath(new URL('../../../deploy/patroni/', import.meta.url))

/** Lines of `NAME=value`; all others are comments. */
export function parseEnvironment(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** The example's environment for another node: its name and the addresses at which it is reached. */
export function environmentOf(
  example: Readonly<Record<string, string>>,
  { name, address }: { readonly name: string; readonly address: string },
): Readonly<Record<string, string>> {
  const moved = (setting: string) => (example[setting] ?? '').replace(/^[^:]+/, address)
  return {
    ...example,
    PATRONI_NAME: name,
    PATRONI_RESTAPI_CONNECT_ADDRESS: moved('PATRONI_RESTAPI_CONNECT_ADDRESS'),
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: moved('PATRONI_POSTGRESQL_CONNECT_ADDRESS'),
  }
}

/**
 * Patroni before 3.0.3 writes its name into the lock by etcd's v3 API without checking who holds it: a leader that
 * returns from a network partition takes the lock from its successor, and there are two leaders. By the v2 API it
 * always compares.
 * @see https://github.com/patroni/patroni/pull/2689
 */
export function withSafeLock(
  environment: Readonly<Record<string, string>>,
  patroniVersion: string,
): Readonly<Record<string, string>> {
  const { PATRONI_ETCD3_HOSTS: hosts, ...others } = environment
  const [major = 0, minor = 0, patch = 0] = (/\d+\.\d+\.\d+/.exec(patroniVersion)?.[0] ?? '').split('.').map(Number)
  const isSafe = major * 10_000 + minor * 100 + patch >= 30_003
  return isSafe || hosts === undefined ? environment : { ...others, PATRONI_ETCD_HOSTS: hosts }
}

export const patroniVersion = async (): Promise<string> => (await promisify(execFile)('patroni', ['--version'])).stdout

export const exampleEnvironment = async (): Promise<Readonly<Record<string, string>>> =>
  parseEnvironment(await readFile(join(PATRONI_FOLDER, 'patroni.env'), 'utf8'))

/**
 * Writes the files of a node before its first start.
 * @param folder the root of the node's file system
 */
export async function layOut(folder: string, name: string): Promise<void> {
  const patroni = join(folder, 'etc/patroni')
  await mkdir(patroni, { recursive: true })
  await copyFile(join(PATRONI_FOLDER, 'patroni.yaml'), join(patroni, 'patroni.yaml'))
  const [key, certificate] = [join(patroni, 'server.key'), join(patroni, 'server.crt')]
  const named = ['-subj', `/CN=${name}`, '-days', '2', '-keyout', key, '-out', certificate]
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...named])
  await mkdir(join(folder, 'var/backups/malipo/wal'), { recursive: true })
}
