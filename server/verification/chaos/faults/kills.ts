import { oneOf } from '../seeded.ts'
import type { FaultKind } from './fault.ts'

export const kills: FaultKind = {
  name: 'kills',
  what: 'kill -9 of an API process, a worker or PostgreSQL; what was killed is started again',
  spacingMs: 1_500,
  async plant(world, random) {
    const victim = oneOf(random, ['api', 'worker', 'worker', 'postgres'] as const)
    if (victim === 'postgres') {
      await world.killPostgres()
      return 'PostgreSQL killed'
    }
    // A paused process is part of another fault. When all processes of a role are paused, one of the other role is
    // killed.
    const { fleet } = world
    const member =
      fleet.choose(random, ({ role, isPaused }) => role === victim && !isPaused()) ??
      fleet.choose(random, ({ isPaused }) => !isPaused())
    member?.kill()
    return `${member?.name ?? 'nothing'} killed`
  },
}
