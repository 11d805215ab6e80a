import { median } from '../load.ts'
import { atMost, type Section } from '../section.ts'
import { measureStart, type StartTimes } from '../startup.ts'

const ROUNDS = 3
const TARGETS = { coldMs: 2_000, warmMs: 2_000 }

export const startSection: Section = {
  name: 'start',
  what: `npm start, cold and warm, ${ROUNDS} times`,
  async run() {
    const starts: StartTimes[] = []
    for (let round = 0; round < ROUNDS; round += 1) starts.push(await measureStart())
    return {
      figures: [
        {
          name: 'npm start to the first 200, cold',
          ...atMost(TARGETS.coldMs, 'ms', median(starts.map(({ coldMs }) => coldMs))),
        },
        {
          name: 'npm start to the first 200, warm',
          ...atMost(TARGETS.warmMs, 'ms', median(starts.map(({ warmMs }) => warmMs))),
        },
      ],
      notes: [],
      raw: starts,
    }
  },
}
