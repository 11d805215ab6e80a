import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../actions/ports/rail.ts'
import { present } from '../domain/present.ts'
import { safeReason } from '../safe-error.ts'
import type { Timers } from '../work/timers.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * The rails to real operators, by the code of the provider that goes to each: a line here connects one. Every other
 * provider is simulated in the sandbox, and refused in live mode, which has none of its own yet.
 */
export const railsOf = ({ rails }: Pick<Surroundings, 'rails'>): Readonly<Record<string, Rail>> => ({ ...rails })

/** Below the lease of the work: whoever waits longer holds an order that others take up already. */
const ANSWER_MS_MAX = 25_000

/**
 * One rail made of several: each order goes to the rail of its provider, or to `others`; answers come in the order of
 * the questions. Rails are asked at the same time, each once for all of its orders. One that fails or stays silent is
 * unreachable for its own orders, and holds up no other's: whether it got them nobody knows.
 * @param rails by provider code
 */
export function railByProvider(rails: Readonly<Record<string, Rail>>, others: Rail, timers: Timers): Rail {
  const known = new Map(Object.entries(rails))
  const railOf = (providerCode: string): Rail => known.get(providerCode) ?? others

  async function divided<Answer>(
    orders: readonly RailOrder[],
    put: (rail: Rail, orders: readonly RailOrder[]) => Promise<readonly Answer[]>,
    unreachable: (error: string) => Answer,
  ): Promise<readonly Answer[]> {
    const groups = Map.groupBy(orders, ({ providerCode }) => railOf(providerCode))
    const answers = await Promise.all(
      [...groups].map(async ([rail, own]) => {
        const given = await inTime(put(rail, own), timers).catch((error: unknown) => {
          // Alone, and where it does no harm to ask again, the work's own way with what fails finds the one bad order.
          if (groups.size === 1 && mayRepeat(rail, own)) throw error
          return safeReason(error)
        })
        return own.map((order, index): [RailOrder, Answer] => [
          order,
          typeof given === 'string' ? unreachable(given) : (given[index] ?? unreachable('the rail gave no answer')),
        ])
      }),
    )
    const answerOf = new Map(answers.flat())
    return orders.map((order) => present(answerOf.get(order), 'the answer of a rail'))
  }

  return {
    traitsOf: (route) => railOf(route.providerCode).traitsOf(route),
    submit: (orders) =>
      divided(
        orders,
        (rail, own) => rail.submit(own),
        (error): RailAnswer => ({ answer: 'unreachable', error }),
      ),
    ask: (orders) =>
      divided(
        orders,
        (rail, own) => rail.ask(own),
        (error): RailKnowledge => ({ knows: 'unreachable', error }),
      ),
  }
}

const mayRepeat = (rail: Rail, orders: readonly RailOrder[]): boolean =>
  orders.every((order) => rail.traitsOf(order).repeat === 'safe')

function inTime<Value>(asked: Promise<Value>, timers: Timers): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = timers.after(ANSWER_MS_MAX, () => reject(new RailSilent()))
  return Promise.race([asked, late]).finally(cancel)
}

class RailSilent extends Error {
  constructor() {
    super(`no answer within ${ANSWER_MS_MAX / 1000} s`)
    this.name = 'RailSilent'
  }
}
