import type { CommitFault } from '../database-link.ts'
import { pause } from '../patience.ts'
import { between, oneOf, wholeBetween, type Random } from '../seeded.ts'
import { waitFor, type FaultKind, type ChaosEnvironment } from './fault.ts'

const OTHER_COMMITS_MS_MAX = 2_000
/** Longer than every time-out of a statement. */
const LONG_MS = [21_000, 26_000] as const
/** Longer than the lease of the job that the commit belongs to. */
const LONGEST_MS = [30_000, 34_000] as const

export const database: FaultKind = {
  name: 'database',
  what: 'connections of one process to PostgreSQL are stalled or reset, at any time or in the moment of a commit',
  spacingMs: 3_000,
  async plant({ fleet, load }, random) {
    const what = oneOf(random, ['stall', 'cut', 'reply stalled', 'reply cut', 'commit cut'] as const)
    if (what !== 'stall' && what !== 'cut') return atCommits({ fleet, load }, random, what)
    const member = fleet.choose(random, ({ isPaused }) => !isPaused())
    if (!member) return 'nothing: all processes stand still'
    if (what === 'cut') return `${member.database.cut()} connections of ${member.name} reset`
    const ms = stallMs(random, LONG_MS)
    await member.database.stall(ms)
    return `all connections of ${member.name} stalled for ${ms} ms`
  },
}

/** Most are short: a gateway without a database for half a minute meets no other fault meanwhile. */
const stallMs = (random: Random, long: readonly [number, number]): number =>
  Math.round(random() < 0.2 ? between(random, ...long) : between(random, 500, 6_000))

/** The next commits of API processes or of workers, whichever commits first. */
async function atCommits(
  { fleet, load }: Pick<ChaosEnvironment, 'fleet' | 'load'>,
  random: Random,
  what: CommitFault['what'],
): Promise<string> {
  const [role, wanted] = [oneOf(random, ['api', 'worker', 'worker'] as const), wholeBetween(random, 1, 3)]
  const fault: CommitFault = what === 'reply stalled' ? { what, ms: stallMs(random, LONGEST_MS) } : { what }
  const armed = fleet.members.filter((member) => member.role === role)
  const plans = armed.map((member) => member.database.disturbCommits(fault, wanted))
  const met = () => plans.reduce((sum, plan) => sum + wanted - plan.left(), 0)
  try {
    await waitFor(`commit of ${role}s`, { met, wanted, othersMs: OTHER_COMMITS_MS_MAX }, load)
  } finally {
    for (const plan of plans) plan.end()
  }
  if (fault.what === 'reply stalled' && met() > 0) await pause(fault.ms)
  return `${met()} commits of ${role}s: ${what}${fault.what === 'reply stalled' ? ` for ${fault.ms} ms` : ''}`
}
