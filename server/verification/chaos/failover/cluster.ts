import { join } from 'node:path'
import { present } from '../../../domain/present.ts'
import { signal } from '../../../local/embedded-postgres/processes.ts'
import { postmasterIn } from '../../testing/postmaster.ts'
import { until } from '../patience.ts'
import { startMachine, startNetwork, type Machine } from './machine.ts'
import { environmentOf, exampleEnvironment, layOut, patroniVersion, withSafeLock } from './node-files.ts'
import { service, type Service } from './service.ts'

/** One of three machines: a PostgreSQL under Patroni, and an etcd. */
export interface Node {
  readonly machine: Machine
  readonly etcd: Service
  readonly patroni: Service
  /** The postmaster of its PostgreSQL. */
  killPostgres(): Promise<void>
  /** Kills PostgreSQL and Patroni at the same time. */
  killDatabase(): Promise<void>
  /** Kills every process of the machine. */
  killMachine(): Promise<void>
  /** Starts the services that are not running. */
  boot(): void
}

export interface Roles {
  readonly leader: Node
  /** The synchronous standby: has each commit before it is acknowledged. */
  readonly synchronous: Node
  readonly other: Node
}

export interface Cluster {
  readonly nodes: readonly Node[]
  /** The current roles; undefined until all three have one again and etcd is healthy too. */
  roles(): Promise<Roles | undefined>
}

/** The address of the gateways and HAProxy, in the network of patroni.env. */
const OWN_ADDRESS = '10.0.0.1'
const ADDRESSES = ['10.0.0.11', '10.0.0.12', '10.0.0.13'] as const
const WHOLE_MS_MAX = 120_000
const POLL_MS_MAX = 2_000
export const PATRONI_PORT = 8008
export const DATABASE_PORT = 5432

/**
 * Sets up three machines from scratch.
 * @param folder for all of their files
 */
export async function startCluster(folder: string): Promise<Cluster> {
  await startNetwork(OWN_ADDRESS)
  const example = withSafeLock(await exampleEnvironment(), await patroniVersion())
  const nodes: Node[] = []
  for (const [index, address] of ADDRESSES.entries()) {
    const name = `node-${index + 1}`
    const own = join(folder, name)
    await layOut(own, name)
    nodes.push(createNode(await startMachine(name, address, own), environmentOf(example, { name, address })))
  }
  for (const node of nodes) node.boot()
  const cluster: Cluster = { nodes, roles: () => rolesOf(nodes) }
  await until(async () => (await cluster.roles()) !== undefined, WHOLE_MS_MAX, 'the cluster is whole')
  return cluster
}

function createNode(machine: Machine, environment: Readonly<Record<string, string>>): Node {
  const etcd = service(() => machine.spawn('etcd', etcdArguments(machine), {}))
  const patroni = service(() => machine.spawn('patroni', ['/etc/patroni/patroni.yaml'], environment))
  const killPostgres = async () => {
    const data = present(environment['PATRONI_POSTGRESQL_DATA_DIR'], 'the data folder of patroni.env')
    const pid = await postmasterIn(join(machine.folder, data))
    if (pid !== undefined) signal(pid, 'SIGKILL')
  }
  return {
    machine,
    etcd,
    patroni,
    killPostgres,
    async killDatabase() {
      patroni.kill()
      await killPostgres()
    },
    async killMachine() {
      patroni.forget()
      etcd.forget()
      await machine.signalAll('SIGKILL')
    },
    boot() {
      etcd.start()
      patroni.start()
    },
  }
}

function etcdArguments({ name, address }: Machine): readonly string[] {
  const peers = ADDRESSES.map((one, index) => `node-${index + 1}=http://${one}:2380`)
  return Object.entries({
    name,
    'data-dir': '/var/lib/etcd/malipo',
    'listen-client-urls': 'http://0.0.0.0:2379',
    'advertise-client-urls': `http://${address}:2379`,
    'listen-peer-urls': 'http://0.0.0.0:2380',
    'initial-advertise-peer-urls': `http://${address}:2380`,
    'initial-cluster': peers.join(','),
    // Three members on one busy machine: slightly longer time-outs than the defaults.
    'heartbeat-interval': '200',
    'election-timeout': '1500',
    // A member that returns from a network partition must not unseat the leader that all others follow.
    'pre-vote': 'true',
    'enable-v2': 'true',
    'log-level': 'error',
  }).map(([option, value]) => `--${option}=${value}`)
}

interface NodeStatus {
  readonly status: number
  readonly body: unknown
}

async function poll(node: Node, port: number, path: string): Promise<NodeStatus> {
  try {
    const signal = AbortSignal.timeout(POLL_MS_MAX)
    const reply = await fetch(`http://${node.machine.address}:${port}${path}`, { signal })
    return { status: reply.status, body: JSON.parse((await reply.text()) || 'null') as unknown }
  } catch {
    return { status: 0, body: undefined }
  }
}

interface Replication {
  readonly application_name: string
  readonly state: string
  readonly sync_state: string
}

async function rolesOf(nodes: readonly Node[]): Promise<Roles | undefined> {
  const [health, primaries] = await Promise.all([
    Promise.all(nodes.map((node) => poll(node, 2379, '/health'))),
    Promise.all(nodes.map((node) => poll(node, PATRONI_PORT, '/primary'))),
  ])
  if (!health.every(({ status }) => status === 200)) return undefined
  const leaders = nodes.filter((_, index) => primaries[index]?.status === 200)
  const [leader] = leaders
  if (!leader || leaders.length > 1) return undefined
  const { body } = await poll(leader, PATRONI_PORT, '/patroni')
  const standbys = (body as { replication?: readonly Replication[] } | undefined)?.replication ?? []
  const named = (fits: (standby: Replication) => boolean) => {
    const standby = standbys.find((one) => one.state === 'streaming' && fits(one))
    return nodes.find(({ machine }) => machine.name === standby?.application_name)
  }
  const synchronous = named(({ sync_state }) => sync_state === 'sync')
  const other = named(({ sync_state }) => sync_state !== 'sync')
  return synchronous && other && { leader, synchronous, other }
}
