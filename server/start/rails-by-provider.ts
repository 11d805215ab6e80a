import type { Rail, RailAnswer, RailKnowledge, RailOrder, RailRoute } from '../actions/ports/rail.ts'
import { present } from '../domain/present.ts'
import { ASK_RAIL_AFTER_MS } from '../domain/transaction.ts'
import { safeReason } from '../safe-error.ts'
import type { Timers } from '../work/timers.ts'
import type { Surroundings } from './surroundings.ts'

/** Rails of a test's own, by provider code. */
export const railsOf = ({ rails }: Pick<Surroundings, 'rails'>): Readonly<Record<string, Rail>> => ({ ...rails })

/** Below the lease of the work: whoever waits longer holds an order that others take up already. */
const ANSWER_MS_MAX = 25_000

/** The connections to operators that there are now. */
export interface Installations {
  /** Where the next order of a provider goes. */
  installationOf(providerCode: string): string | undefined
  /** @returns undefined when there is no such connection any more, or its kind is unknown to this version */
  rail(installation: string): Rail | undefined
  readCallback?: Rail['readCallback']
}

/**
 * One rail made of several: each order goes to the installation that it was handed to, or to the rail of its provider,
 * or to `others`; answers come in the order of the questions. Rails are asked at the same time, each once for all of its orders. One that fails or stays silent is
 * unreachable for its own orders, and holds up no other's: whether it got them nobody knows.
 * @param rails by provider code
 */
export function railByProvider({ rails, others, installations = NONE }: ConnectedTo, timers: Timers): Rail {
  const known = new Map(Object.entries(rails))
  const railOf = ({ providerCode, installation }: RailRoute): Rail =>
    installation === undefined ? (known.get(providerCode) ?? others) : (installations.rail(installation) ?? GONE)

  async function divided<Answer>(
    orders: readonly RailOrder[],
    put: (rail: Rail, orders: readonly RailOrder[]) => Promise<readonly Answer[]>,
    unreachable: (error: string) => Answer,
  ): Promise<readonly Answer[]> {
    const groups = Map.groupBy(orders, railOf)
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
    ...(installations.readCallback && { readCallback: installations.readCallback }),
    installationOf: (providerCode) =>
      known.has(providerCode) ? undefined : installations.installationOf(providerCode),
    traitsOf: (route) => railOf(route).traitsOf(route),
    payerReference: (order) => railOf(order).payerReference?.(order),
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

export interface ConnectedTo {
  /** By provider code. */
  readonly rails: Readonly<Record<string, Rail>>
  /** What gets every order that nothing else gets. */
  readonly others: Rail
  readonly installations?: Installations
}

const NONE: Installations = { installationOf: () => undefined, rail: () => undefined }

/** Nobody can be asked about what went there: it waits, and is never sent to anybody else. */
const GONE = withoutRail('its connection to the operator is gone')

/** Takes nothing and knows nothing. @param why for the history of what it cannot take */
export function withoutRail(why: string): Rail {
  return {
    traitsOf: () => ({ repeat: 'never', askAfterMs: () => ASK_RAIL_AFTER_MS }),
    submit: async (orders) => orders.map(() => ({ answer: 'not_sent', error: why })),
    ask: async (orders) => orders.map(() => ({ knows: 'unreachable', error: why })),
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
