import { between, oneOf, type Random } from '../seeded.ts'
import type { Node, Roles } from './cluster.ts'

interface InjectedFault {
  /** In words. */
  readonly what: string
  /** How long the fault lasts. */
  readonly holdMs: number
  heal(): Promise<unknown>
}

export interface FailoverFault {
  readonly name: string
  /** For the help text. */
  readonly what: string
  /**
   * Whether payments are accepted again while the fault lasts, because another member takes over. If not, only the
   * return of what failed can bring that back: the cluster does not survive the loss of this many at a time.
   */
  readonly heals: 'by itself' | 'when all are back'
  /** No standby is left to replicate a commit to: anything acknowledged meanwhile could be lost. */
  readonly acceptsNothing?: boolean
  plant(roles: Roles, random: Random): Promise<InjectedFault>
}

/** Shorter than a failover takes, or longer. */
const RESTART_MS = [1_000, 30_000] as const
/** Longer than the 15 seconds after which a silent leader loses its lock. */
const BEYOND_LOCK_MS = [18_000, 30_000] as const
const WITHIN_LOCK_MS = [3_000, 9_000] as const
/** Nothing is accepted during this time. */
const STANDSTILL_MS = [6_000, 15_000] as const

const ms = (random: Random, range: readonly [number, number]): number => Math.round(between(random, ...range))
const boot = (...nodes: readonly Node[]) => {
  return async () => nodes.forEach((node) => node.boot())
}

const leaderKilled: readonly FailoverFault[] = [
  {
    name: 'leader-postgres',
    what: 'PostgreSQL of the leader is killed; Patroni goes on there',
    heals: 'by itself',
    async plant({ leader }) {
      await leader.killPostgres()
      return { what: `PostgreSQL of ${leader.machine.name} killed`, holdMs: 1_000, heal: async () => undefined }
    },
  },
  {
    name: 'leader-database',
    what: 'PostgreSQL and Patroni of the leader are killed, and started again later',
    heals: 'by itself',
    async plant({ leader }, random) {
      await leader.killDatabase()
      const { name } = leader.machine
      return { what: `PostgreSQL and Patroni of ${name} killed`, holdMs: ms(random, RESTART_MS), heal: boot(leader) }
    },
  },
  {
    name: 'leader-machine',
    what: 'everything of the leader is killed, its etcd too, and started again later',
    heals: 'by itself',
    async plant({ leader }, random) {
      await leader.killMachine()
      return { what: `${leader.machine.name} killed`, holdMs: ms(random, RESTART_MS), heal: boot(leader) }
    },
  },
]

const frozen = (node: Node, what: string, holdMs: number): InjectedFault => ({
  what,
  holdMs,
  heal: () => node.machine.signalAll('SIGCONT'),
})

const leaderAway: readonly FailoverFault[] = [
  {
    name: 'leader-frozen',
    what: 'the leader stands still until another one has its place, and wakes',
    heals: 'by itself',
    async plant({ leader }, random) {
      await leader.machine.signalAll('SIGSTOP')
      return frozen(leader, `${leader.machine.name}, the leader, frozen`, ms(random, BEYOND_LOCK_MS))
    },
  },
  {
    name: 'leader-dozes',
    what: 'the leader stands still, and wakes while it still has its lock',
    heals: 'by itself',
    async plant({ leader }, random) {
      await leader.machine.signalAll('SIGSTOP')
      return frozen(leader, `${leader.machine.name}, the leader, frozen`, ms(random, WITHIN_LOCK_MS))
    },
  },
  {
    name: 'leader-cut-off',
    what: 'the cable of the leader is pulled: it is isolated in both directions',
    heals: 'by itself',
    async plant({ leader }, random) {
      await leader.machine.unplug()
      const what = `${leader.machine.name}, the leader, cut off`
      return { what, holdMs: ms(random, BEYOND_LOCK_MS), heal: () => leader.machine.plug() }
    },
  },
  {
    name: 'leader-alone',
    what: 'the leader reaches no other machine of the cluster, and gateways still reach it',
    heals: 'by itself',
    async plant({ leader, synchronous, other }, random) {
      const others = [synchronous, other].map(({ machine }) => machine.address)
      await leader.machine.loseWayTo(others)
      const what = `${leader.machine.name}, the leader, alone with the gateways`
      return { what, holdMs: ms(random, BEYOND_LOCK_MS), heal: () => leader.machine.findWayTo(others) }
    },
  },
]

const standbys: readonly FailoverFault[] = [
  {
    name: 'standby',
    what: 'a standby is killed, and started again later',
    heals: 'by itself',
    async plant({ synchronous, other }, random) {
      const standby = oneOf(random, [synchronous, synchronous, other])
      await standby.killMachine()
      const what = `${standby.machine.name}, a standby${standby === synchronous ? ' with all commits' : ''}, killed`
      return { what, holdMs: ms(random, RESTART_MS), heal: boot(standby) }
    },
  },
  {
    name: 'standby-frozen',
    what: 'the standby that has all commits stands still, and wakes',
    heals: 'by itself',
    async plant({ synchronous }, random) {
      await synchronous.machine.signalAll('SIGSTOP')
      return frozen(synchronous, `${synchronous.machine.name}, the standby, frozen`, ms(random, BEYOND_LOCK_MS))
    },
  },
  {
    name: 'standby-cut-off',
    what: 'the cable of the standby that has all commits is pulled',
    heals: 'by itself',
    async plant({ synchronous: { machine } }, random) {
      await machine.unplug()
      const what = `${machine.name}, the standby, cut off`
      return { what, holdMs: ms(random, BEYOND_LOCK_MS), heal: () => machine.plug() }
    },
  },
  {
    name: 'standbys',
    what: 'both standbys are killed, and started again later: nothing is accepted meanwhile',
    heals: 'when all are back',
    acceptsNothing: true,
    async plant({ synchronous, other }, random) {
      await Promise.all([synchronous.killMachine(), other.killMachine()])
      return { what: 'both standbys killed', holdMs: ms(random, STANDSTILL_MS), heal: boot(synchronous, other) }
    },
  },
]

/** @returns what starts everything again */
function killEtcd({ leader, synchronous, other }: Roles): () => Promise<void> {
  const nodes = [leader, synchronous, other]
  for (const { etcd } of nodes) etcd.kill()
  return boot(...nodes)
}

const etcds: readonly FailoverFault[] = [
  {
    name: 'etcd',
    what: 'all of etcd is killed, and started again later: the leader goes on',
    heals: 'by itself',
    async plant(roles, random) {
      return { what: 'etcd killed', holdMs: ms(random, BEYOND_LOCK_MS), heal: killEtcd(roles) }
    },
  },
  {
    name: 'etcd-and-leader',
    what: 'all of etcd and the leader are killed, and started again later',
    heals: 'when all are back',
    async plant(roles, random) {
      const heal = killEtcd(roles)
      await roles.leader.killDatabase()
      const what = `etcd and ${roles.leader.machine.name}, the leader, killed`
      return { what, holdMs: ms(random, STANDSTILL_MS), heal }
    },
  },
  {
    name: 'etcd-and-standby',
    what: 'all of etcd and a standby are killed, and started again later',
    heals: 'when all are back',
    async plant(roles, random) {
      const heal = killEtcd(roles)
      const standby = oneOf(random, [roles.synchronous, roles.other])
      await standby.killDatabase()
      const what = `etcd and ${standby.machine.name}, a standby, killed`
      return { what, holdMs: ms(random, BEYOND_LOCK_MS), heal }
    },
  },
]

export const FAILOVER_FAULTS: readonly FailoverFault[] = [...leaderKilled, ...leaderAway, ...standbys, ...etcds]
