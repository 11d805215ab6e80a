import { pause } from '../patience.ts'
import { between, type Random } from '../seeded.ts'
import type { Fleet } from '../fleet.ts'
import type { Member } from '../member.ts'
import type { FaultKind } from './fault.ts'

/**
 * Slightly longer than the lease of a claimed job: another worker is just taking over the jobs of the process that
 * wakes.
 */
const JUST_BEYOND_LEASE_MS = [30_000, 33_000] as const
const BEYOND_LEASE_MS = [33_000, 40_000] as const
/** Messages stay unanswered for this long, and the pause starts in the middle of them. */
const IN_FLIGHT_MS = 1_500

export const pauses: FaultKind = {
  name: 'pauses',
  what: 'an API process or a worker stands still (SIGSTOP) for 30 to 40 s, longer than its leases, and wakes (SIGCONT)',
  // Several at a time: a pause takes half a minute on any machine.
  spacingMs: 11_000,
  async plant({ fleet, merchant }, random) {
    const member = await freeMember(fleet, random)
    const ms = Math.round(
      random() < 0.6 ? between(random, ...JUST_BEYOND_LEASE_MS) : between(random, ...BEYOND_LEASE_MS),
    )
    merchant.holdReplies(IN_FLIGHT_MS)
    await pause(between(random, 0, IN_FLIGHT_MS / 2))
    await member.pauseFor(ms)
    return `${member.name} paused for ${ms} ms`
  },
}

/** One process of each role keeps running: if all are paused, none takes over leases. */
async function freeMember(fleet: Fleet, random: Random): Promise<Member> {
  const others = (member: Member) =>
    fleet.members.filter((other) => other !== member && other.role === member.role && !other.isPaused())
  for (;;) {
    const member = fleet.choose(random, (candidate) => !candidate.isPaused() && others(candidate).length > 0)
    if (member) return member
    await pause(200)
  }
}
