import { Counter, Histogram, type Registry } from 'prom-client'
import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../actions/ports/rail.ts'

const ANSWERS = {
  submit: { accepted: true, outcome: true, refused: true, not_sent: true, unreachable: true } satisfies Record<
    RailAnswer['answer'],
    true
  >,
  ask: { outcome: true, in_progress: true, nothing_moved: true, unreachable: true } satisfies Record<
    RailKnowledge['knows'],
    true
  >,
}
const BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Measures a rail's calls, each of which carries many orders, and counts the results of the orders. */
export function railMetrics(registry: Registry): (rail: Rail) => Rail {
  const durations = new Histogram({
    name: 'malipo_rail_call_duration_seconds',
    help: 'Time of one call to a rail, whatever the number of its orders: submit or ask.',
    labelNames: ['call'],
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  })
  const answers = new Counter({
    name: 'malipo_rail_answers_total',
    help: 'Results of orders by call; error: the call itself failed.',
    labelNames: ['call', 'answer'],
    registers: [registry],
  })
  for (const [call, known] of Object.entries(ANSWERS))
    for (const answer of [...Object.keys(known), 'error']) answers.inc({ call, answer }, 0)

  async function measured<Value>(
    call: 'submit' | 'ask',
    orders: readonly RailOrder[],
    run: () => Promise<readonly Value[]>,
    nameOf: (answer: Value) => string,
  ): Promise<readonly Value[]> {
    const startedAt = performance.now()
    try {
      const given = await run()
      for (const [answer, { length }] of Map.groupBy(given, nameOf)) answers.inc({ call, answer }, length)
      return given
    } catch (error) {
      answers.inc({ call, answer: 'error' }, orders.length)
      throw error
    } finally {
      durations.observe({ call }, (performance.now() - startedAt) / 1000)
    }
  }

  return (rail) => ({
    ...rail,
    submit: (orders) =>
      measured(
        'submit',
        orders,
        () => rail.submit(orders),
        ({ answer }) => answer,
      ),
    query: (orders) =>
      measured(
        'ask',
        orders,
        () => rail.query(orders),
        ({ knows }) => knows,
      ),
  })
}
