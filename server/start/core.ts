import type { Logger } from 'pino'
import { accountBoundsOf } from '../config.ts'
import type { AuthorizeDeps } from '../actions/authorize-collection.ts'
import type { Clock } from '../actions/ports/clock.ts'
import type { Notices } from '../actions/ports/notices.ts'
import type { AccountMessageStore, UnrequestedPayments } from '../actions/ports/account-messages.ts'
import type { RailCallbackStore } from '../actions/ports/rail-callbacks.ts'
import type { Wake } from '../actions/ports/wake.ts'
import type { OperatorCallMetrics } from '../metrics/operator-calls.ts'
import { callbackBody } from '../messages/transaction-record.ts'
import { createOneTimePasswords } from './one-time-passwords.ts'
import { unrequestedPayments } from '../admin/queries/statements/book-unrequested.ts'
import { ACCOUNT_ADDRESS } from '../domain/callback-tokens.ts'
import type { Scenarios } from '../local/sandbox/scenarios.ts'
import { accountRequiresOtp } from '../local/sandbox/simulator.ts'
import { createIdempotencyStore } from '../storage/idempotency.ts'
import { createLookups } from '../storage/lookups.ts'
import { createAccountMessageStore } from '../storage/account-messages.ts'
import { createRailCallbackStore } from '../storage/rail-callbacks.ts'
import { loadReferenceData, type LiveReferenceData } from '../storage/reference-data.ts'
import type { Connections, Pool } from '../storage/pool.ts'
import { createStore } from '../storage/store.ts'
import type { Foundation } from './foundation.ts'
import { takes } from './rail-accounts.ts'
import { railsOf } from './rails-by-provider.ts'

/** The shared dependencies of every part that acts on payments. */
export type Core = Omit<AuthorizeDeps, 'reference'> & {
  readonly reference: LiveReferenceData
  readonly realClock: Clock
  /** In the sandbox. */
  readonly scenarios: Scenarios | undefined
  readonly accountMessages: AccountMessageStore
  /** Takes all operator messages: those to a rail account's own address go to `accountMessages`. */
  readonly railCallbacks: RailCallbackStore
  readonly unrequested: UnrequestedPayments
  /** The same stores on a share of the pool. */
  readonly storesOn: (
    connections: Connections,
  ) => Pick<Core, 'store' | 'railCallbacks' | 'accountMessages' | 'unrequested'>
}

/** Wires together everything that works on payments; nothing runs yet. */
export async function createCore(
  { config, surroundings, sandbox, pool, box, clock, realClock, digests, metrics, tracing }: Foundation,
  wake: Wake,
): Promise<Core> {
  const { random, logger, sendOtp } = surroundings
  const rails = railsOf(surroundings)
  const storesOn: Core['storesOn'] = (connections) => {
    const accountMessages = createAccountMessageStore(connections, box, wake)
    const ofOrders = createRailCallbackStore(connections, box, wake)
    return {
      store: tracing.traceStore(createStore(connections, wake)),
      accountMessages,
      railCallbacks: {
        ...ofOrders,
        receive: (callback, now) =>
          (callback.orderId === ACCOUNT_ADDRESS ? accountMessages : ofOrders).receive(callback, now),
      },
      unrequested: unrequestedPayments(connections),
    }
  }
  return {
    ...storesOn(pool),
    storesOn,
    lookups: createLookups(pool),
    idempotency: createIdempotencyStore(pool),
    reference: await loadReferenceData({
      pool,
      box,
      clock,
      sandbox,
      hasRail: ({ providerCode, type, railAccount: name }, railAccount) =>
        name === undefined
          ? sandbox || Object.hasOwn(rails, providerCode)
          : railAccount !== undefined && takes(surroundings.railKinds, config.mode, railAccount, type),
      amountStepOf: ({ rail }) => surroundings.railKinds.find(({ name }) => name === rail)?.amountStepMinor,
    }),
    clock,
    realClock,
    scenarios: sandbox ? await openScenarios(pool) : undefined,
    random,
    notices: logNotices(logger, metrics),
    callbackBody,
    otps: createOneTimePasswords({ sandbox, mac: (text) => digests('otp', text), send: sendOtp }),
    accountRequiresOtp: sandbox ? accountRequiresOtp : () => false,
    accountBounds: accountBoundsOf(config),
    dailyLimitShare: config.dailyLimitShare,
  }
}

/** Loaded in the sandbox only. */
const openScenarios = async (pool: Pool): Promise<Scenarios> =>
  (await import('../local/sandbox/scenarios.ts')).openScenarios(pool)

/**
 * Staff have to handle these: the log gets them at once, and `transaction list --stuck`, doctor and the metrics show
 * them until they are resolved.
 */
const logNotices = (logger: Logger, metrics: Pick<OperatorCallMetrics, 'unmappedResult'>): Notices => ({
  paidNotBooked: ({ internalReference, providerCode, amount, isAttempt }) =>
    logger.error(
      { internalReference, providerCode, amountMinor: String(amount.amountMinor), currency: amount.currency },
      isAttempt
        ? 'a customer has paid a collection again: the money is on suspense until it is given back with `malipo suspense return`'
        : 'the rail has paid a payout that is FAILED here and cannot be booked: staff must settle it with `malipo transaction resolve`',
    ),
  unmappedResult({ internalReference, railAccount = '' }, code) {
    metrics.unmappedResult(railAccount)
    logger.warn(
      { internalReference, railAccount, code },
      'the operator answers about an order with a result code that no table explains: the order stays open, see `malipo transaction list --stuck`',
    )
  },
})
