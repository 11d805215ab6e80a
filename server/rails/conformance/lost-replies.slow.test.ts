import { afterAll, describe, expect, test } from 'vitest'
import type { RailOrder } from '../../actions/ports/rail.ts'
import { smallerByDefault } from '../../verification/testing/nightly.ts'
import { seededFractions } from '../../verification/testing/seeded.ts'
import { COUNTERPARTS } from './counterparts/index.ts'
import type { Mood } from './hostile-operator.ts'
import { printAtEnd } from './print-at-end.ts'
import { openWireStage } from './wire-stage.ts'

// Orders whose replies get lost, again and again, with the rule of `submitToRail` around them: what may be repeated goes
// out until there is a reply, what may not goes out once. The operator counts the money.

/** Of each counterpart. */
const LOST = smallerByDefault('lost replies of each order', 50, 10_000)
/** An adapter that takes each lost reply for an order that was not sent would go on for ever. */
const ROUNDS_MAX = 4 * LOST
/** With fewer calls in a minute no circuit opens. */
const AT_ONCE = 16
const CASES = COUNTERPARTS.filter(({ type, collectionOf }) => type === 'COLLECTION' || collectionOf !== undefined)

/** Three of four calls are lost: before they are read, after it, in the middle of the reply, or in an error of a proxy. */
const MOODS: readonly Mood[] = [
  { answers: 'close_before_reading' },
  { takes: () => 'close_after_reading' },
  { takes: () => 'close_after_reading' },
  { takes: ({ status }) => ({ raw: `HTTP/1.1 ${status} O` }) },
  { takes: () => ({ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }) },
  { takes: (honest) => ({ ...honest, delivery: 'truncated' }) },
  { takes: (honest) => honest },
  { takes: (honest) => honest },
]

const lines: string[] = []
afterAll(() => printAtEnd('lost-replies', lines))

describe.each(CASES)('$name', (counterpart) => {
  test('moves no money twice, however many replies get lost', { timeout: 900_000 }, async () => {
    const stage = await openWireStage(counterpart, counterpart.kind)
    const fraction = seededFractions(40)
    const mood = (): Mood => MOODS[Math.floor(fraction() * MOODS.length)]!
    const orders: RailOrder[] = []
    const accepted = new Set<RailOrder>()
    let waiting: readonly RailOrder[] = []
    let lost = 0
    try {
      for (let round = 0; lost < LOST || waiting.length > 0; round += 1) {
        expect(round, 'rounds until all orders are taken').toBeLessThan(ROUNDS_MAX)
        const fresh = lost < LOST ? AT_ONCE - waiting.length : 0
        const sent = [...waiting, ...Array.from({ length: fresh }, () => stage.order())]
        orders.push(...sent.slice(waiting.length))
        stage.operator.nextOrders(...sent.map(mood))
        const answers = await Promise.all(sent.map((order) => stage.submit(order)))
        lost += answers.filter(({ answer }) => answer === 'unreachable').length
        waiting = sent.filter((order, index) => {
          const answer = answers[index]?.answer
          if (answer === 'accepted') accepted.add(order)
          const { repeat } = stage.rail.traitsOf({ ...order, type: counterpart.type })
          return answer === 'not_sent' || (answer === 'unreachable' && repeat === 'safe')
        })
        stage.clock.advance(61_000)
      }
      const moved = orders.map(({ account }) => stage.operator.moved(account))
      expect(moved.filter((times) => times > 1)).toEqual([])
      expect([...accepted].filter(({ account }) => stage.operator.moved(account) !== 1)).toEqual([])
      lines.push(`${counterpart.name}: ${orders.length} orders, ${lost} replies lost, 0 moved twice`)
    } finally {
      await stage.close()
    }
  })
})
