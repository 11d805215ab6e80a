import type {
  HolderQuery,
  Rail,
  RailAnswer,
  RailKnowledge,
  RailOrder,
  RailRoute,
  RefundOrder,
} from '../actions/ports/rail.ts'
import { present } from '../domain/present.ts'
import { POLL_RAIL_AFTER_MS } from '../domain/transaction.ts'
import { safeReason } from '../safe-error.ts'
import type { Timers } from '../actions/ports/timers.ts'
import type { StartEnvironment } from './surroundings.ts'

/** Rails injected by a test, by provider code. */
export const railsOf = ({ rails }: Pick<StartEnvironment, 'rails'>): Readonly<Record<string, Rail>> => ({ ...rails })

/** Shorter than the lease of the job: when it expires, another process already works on the order. */
const ANSWER_MS_MAX = 25_000

/** The current rail accounts. */
export interface RailAccounts {
  /** The rail account of a provider's next order. */
  railAccountOf(providerCode: string): string | undefined
  /** @returns undefined when the rail account does not exist any more, or its kind is unknown to this version */
  rail(railAccount: string): Rail | undefined
  readCallback?: Rail['readCallback']
  payoutTerms?: Rail['payoutTerms']
  readMessage?: Rail['readMessage']
  confirmPayment?: Rail['confirmPayment']
}

/**
 * One rail composed of several. Each order goes to the rail account that it was submitted to, or to the rail of its
 * provider, or to `others`; replies keep the order of the requests. Rails are called concurrently, each once for all
 * of its orders. A rail that fails or times out is unreachable for its own orders only, whose outcome is then unknown.
 * @param rails by provider code
 */
export function railByProvider({ rails, others, railAccounts = NONE }: ConnectedTo, timers: Timers): Rail {
  const known = new Map(Object.entries(rails))
  const railOf = ({ providerCode, railAccount }: Omit<RailRoute, 'type'>): Rail =>
    railAccount === undefined ? (known.get(providerCode) ?? others) : (railAccounts.rail(railAccount) ?? GONE)

  async function divided<Order extends RailOrder | RefundOrder, Outcome>(
    orders: readonly Order[],
    put: (rail: Rail, orders: readonly Order[]) => Promise<readonly Outcome[]>,
    unreachable: (error: string) => Outcome,
  ): Promise<readonly Outcome[]> {
    const groups = Map.groupBy(orders, railOf)
    const answers = await Promise.all(
      [...groups].map(async ([rail, own]) => {
        const given = await inTime(put(rail, own), timers).catch((error: unknown) => {
          // With a single rail, and where a repeat is harmless, the job's own retry isolates the one bad order.
          if (groups.size === 1 && mayRepeat(rail, own)) throw error
          return safeReason(error)
        })
        return own.map((order, index): [Order, Outcome] => [
          order,
          typeof given === 'string' ? unreachable(given) : (given[index] ?? unreachable('the rail gave no answer')),
        ])
      }),
    )
    const answerOf = new Map(answers.flat())
    return orders.map((order) => present(answerOf.get(order), 'the answer of a rail'))
  }

  return {
    ...readersOf(railAccounts),
    railAccountOf: (providerCode) => (known.has(providerCode) ? undefined : railAccounts.railAccountOf(providerCode)),
    payoutTerms: (providerCode) => (known.has(providerCode) ? undefined : railAccounts.payoutTerms?.(providerCode)),
    traitsOf: (route) => railOf(route).traitsOf(route),
    payerReference: (order) => railOf(order).payerReference?.(order),
    submit: (orders) => divided(orders, (rail, own) => rail.submit(own), unanswered),
    query: (orders) => divided(orders, (rail, own) => rail.query(own), unknown),
    refund: (orders) =>
      divided(orders, async (rail, own) => (await rail.refund?.(own)) ?? own.map(notRefunded), unanswered),
    queryRefund: (orders) =>
      divided(orders, async (rail, own) => (await rail.queryRefund?.(own)) ?? own.map(unknownRefund), unknown),
    holderQuery(providerCode) {
      const railAccount = known.has(providerCode) ? undefined : railAccounts.railAccountOf(providerCode)
      const query = railOf({ providerCode, ...(railAccount !== undefined && { railAccount }) }).holderQuery?.(
        providerCode,
      )
      return query && holderInTime(query, timers)
    },
  }
}

const notRefunded = (): RailAnswer => ({ answer: 'not_sent', error: NO_REFUNDS })
const unknownRefund = (): RailKnowledge => ({ knows: 'unreachable', error: NO_REFUNDS })
const unanswered = (error: string): RailAnswer => ({ answer: 'unreachable', error })
const unknown = (error: string): RailKnowledge => ({ knows: 'unreachable', error })

const readersOf = ({ readCallback, readMessage, confirmPayment }: RailAccounts) => ({
  ...(readCallback && { readCallback }),
  ...(readMessage && { readMessage }),
  ...(confirmPayment && { confirmPayment }),
})

interface ConnectedTo {
  /** By provider code. */
  readonly rails: Readonly<Record<string, Rail>>
  /** Gets every order without another rail. */
  readonly others: Rail
  readonly railAccounts?: RailAccounts
}

const NONE: RailAccounts = { railAccountOf: () => undefined, rail: () => undefined }

/** No rail can be queried about these orders: they wait, and are never sent to another one. */
const GONE = withoutRail('its connection to the operator is gone')

/** Accepts nothing and knows nothing. @param why recorded in the history of each refused order */
export function withoutRail(why: string): Rail {
  return {
    traitsOf: () => ({ repeat: 'never', pollAfterMs: () => POLL_RAIL_AFTER_MS }),
    submit: async (orders) => orders.map(() => ({ answer: 'not_sent', error: why })),
    query: async (orders) => orders.map(() => ({ knows: 'unreachable', error: why })),
  }
}

const mayRepeat = (rail: Rail, orders: readonly (RailOrder | RefundOrder)[]): boolean =>
  orders.every((order) =>
    'collection' in order
      ? rail.traitsOf({ ...order, type: 'COLLECTION' }).refund?.repeat === 'safe'
      : rail.traitsOf(order).repeat === 'safe',
  )

const NO_REFUNDS = 'it has no refunds'

/** Somebody waits for the answer. */
const HOLDER_MS_MAX = 10_000

const holderInTime =
  (query: HolderQuery, timers: Timers): HolderQuery =>
  (account) =>
    inTime(query(account), timers, HOLDER_MS_MAX).catch((error: unknown) => ({
      knows: 'unreachable',
      error: safeReason(error),
    }))

function inTime<Value>(queried: Promise<Value>, timers: Timers, ms = ANSWER_MS_MAX): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = timers.after(ms, () => reject(new RailSilent(ms)))
  return Promise.race([queried, late]).finally(cancel)
}

class RailSilent extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`)
    this.name = 'RailSilent'
  }
}
