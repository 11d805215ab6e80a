import { pause } from '../patience.ts'
import { between, oneOf } from '../seeded.ts'
import type { FaultKind } from './fault.ts'

const HOUR_MS = 3_600_000

export const clocks: FaultKind = {
  name: 'clocks',
  what: 'the clock of one process jumps an hour ahead or behind, and some seconds later back',
  spacingMs: 3_000,
  async plant({ fleet }, random) {
    const member = fleet.choose(random, ({ isSkewed }) => !isSkewed())
    if (!member) return 'nothing: all clocks are wrong already'
    const offsetMs = oneOf(random, [HOUR_MS, -HOUR_MS])
    const forMs = Math.round(between(random, 2_000, 15_000))
    member.setClock(offsetMs)
    await pause(forMs)
    member.setClock(0)
    return `${member.name} was an hour ${offsetMs > 0 ? 'ahead' : 'behind'} for ${forMs} ms`
  },
}
