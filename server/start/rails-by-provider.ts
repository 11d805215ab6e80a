import type { Rail, RailOrder } from '../actions/ports/rail.ts'
import { present } from '../domain/present.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * The rails to real operators, by the code of the provider that goes to each: a line here connects one. Every other
 * provider is simulated in the sandbox, and refused in live mode, which has none of its own yet.
 */
export const railsOf = ({ rails }: Pick<Surroundings, 'rails'>): Readonly<Record<string, Rail>> => ({ ...rails })

/**
 * One rail made of several: each order goes to the rail of its provider, or to `others`; answers come in the order of
 * the questions. Rails are asked at the same time, each once for all of its orders.
 * @param rails by provider code
 */
export function railByProvider(rails: Readonly<Record<string, Rail>>, others: Rail): Rail {
  const known = new Map(Object.entries(rails))
  const divided = async <Answer>(
    orders: readonly RailOrder[],
    put: (rail: Rail, orders: readonly RailOrder[]) => Promise<readonly Answer[]>,
  ): Promise<readonly Answer[]> => {
    const groups = Map.groupBy(orders, ({ providerCode }) => known.get(providerCode) ?? others)
    const answers = await Promise.all(
      [...groups].map(async ([rail, own]) => {
        const given = await put(rail, own)
        return own.map((order, index) => [order, present(given[index], 'the answer of a rail')] as const)
      }),
    )
    const answerOf = new Map(answers.flat())
    return orders.map((order) => present(answerOf.get(order), 'the answer of a rail'))
  }
  return {
    submit: (orders) => divided(orders, (rail, own) => rail.submit(own)),
    ask: (orders) => divided(orders, (rail, own) => rail.ask(own)),
  }
}
