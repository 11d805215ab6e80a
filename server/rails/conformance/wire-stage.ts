import { randomBytes, randomUUID } from 'node:crypto'
import type { OperatorExchange } from '../../actions/ports/operator-exchanges.ts'
import type { Rail, RailAnswer, RailKnowledge, RailOrder, RefundOrder } from '../../actions/ports/rail.ts'
import { present } from '../../domain/present.ts'
import type { RailAccount } from '../../domain/rail-account.ts'
import { SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { connectRailAccount } from '../../start/connect-rail-account.ts'
import { fixedClock, type FixedClock } from '../../verification/testing/fixed-clock.ts'
import { systemTimers } from '../../start/timers.ts'
import type { Clock } from '../../actions/ports/clock.ts'
import type { Adapter, RailKind, SettingValues, SharedToken, SharedTokens } from '../rail-kind.ts'
import type { Timers } from '../../actions/ports/timers.ts'
import type { Counterpart } from './counterpart.ts'
import { startHostileOperator, type HostileOperator } from './hostile-operator.ts'
import type { Closable, OrderOutcome, RailStage } from './rail-stage.ts'

/** An installed rail and its operator, with all that the rail account records and reports. */
export interface WireStage extends RailStage {
  readonly counterpart: Counterpart
  readonly operator: HostileOperator
  readonly adapter: Adapter
  /** The rail itself, where `rail` has refunds in the place of orders. */
  readonly connected: Rail
  readonly callbackTails: RailKind['callbackTails']
  readonly secrets: readonly string[]
  /** The stored record of each call, in order. */
  readonly records: readonly OperatorExchange[]
  /** Errors that the adapter threw and must not have. */
  readonly faults: readonly unknown[]
  submit(order: RailOrder): Promise<RailAnswer>
  query(order: RailOrder): Promise<RailKnowledge>
  /** Another process of the same rail account. */
  second(): Pick<Rail, 'submit'>
}

interface WireOptions {
  readonly settings?: SettingValues
  readonly timers?: Timers
  /** Uses another currency than usual. */
  readonly inCurrency?: Pick<Counterpart, 'currency' | 'amounts'>
}

/** Opens another stage of the same rail; each closes when its rule ends. */
export type OpenWire = (options?: WireOptions) => Promise<WireStage>

/**
 * Disables the limits: each rule tests one thing. Otherwise the circuit breaker would block an operator that fails for
 * long, and the rate limits would delay calls.
 */
export const UNBOUNDED: SettingValues = {
  failures_until_open: '1000',
  requests_per_second: '10000',
  queries_per_second: '10000',
  concurrency: '256',
}

let accounts = 0
/** Returns a number that is unique within the process. */
export const nextAccount = ({ account }: Counterpart): string => account((accounts += 1))

export const secretsOf = ({ settings }: RailKind, given: SettingValues): readonly string[] =>
  Object.entries(settings).flatMap(([name, { secret }]) => (secret ? (given[name] ?? []) : []))

/** @param kind that of the counterpart, or a faulty one in its place */
export async function openWireStage(
  usual: Counterpart,
  kind: RailKind,
  { settings = {}, timers = systemTimers, inCurrency }: WireOptions = {},
): Promise<Closable<WireStage>> {
  const counterpart = { ...usual, ...inCurrency }
  const clock = fixedClock()
  const operator = await startHostileOperator(counterpart, clock)
  const [tail] = kind.accountTails ?? []
  if (tail !== undefined) operator.accountUrl = `https://pay.example/operators/kit/token/account/${tail}`
  const given = { ...UNBOUNDED, ...counterpart.settings, ...settings }
  const shared = sharedInMemory(clock)
  const { currency } = counterpart
  const one = () => connect(kind, { clock, timers, shared, settings: given, currency, baseUrl: operator.url })
  const processes = [one()]
  const [{ rail: connected, adapter, records, faults }] = processes as [ReturnType<typeof one>]
  const { collectionOf } = counterpart
  const withOrders = (all: Rail): Rail => (collectionOf ? refundsAsOrders(all, collectionOf) : all)
  const rail = withOrders(connected)
  const fates = new Map<string, OrderOutcome>()
  return {
    counterpart,
    operator,
    adapter,
    connected,
    callbackTails: kind.callbackTails,
    rail,
    clock,
    secrets: secretsOf(kind, given),
    records,
    faults,
    order(fate = 'paid', changes = {}) {
      const account = nextAccount(counterpart)
      fates.set(account, fate)
      return newOrder(counterpart, { account, orderedAt: clock.now(), ...changes })
    },
    decide: async ({ account }) => operator.decide(account, present(fates.get(account), 'the fate of an order')),
    moved: async ({ account }) => operator.moved(account),
    submit: async (order) => present((await rail.submit([order]))[0], 'an answer'),
    query: async (order) => present((await rail.query([order]))[0], 'an answer'),
    second() {
      const process = one()
      processes.push(process)
      return withOrders(process.rail)
    },
    async close() {
      await Promise.all(processes.map((process) => process.close()))
      await operator.close()
    },
  }
}

/** The shared tokens of the gateway (`start/shared-tokens.ts`), without its database. */
function sharedInMemory(clock: Clock): SharedTokens {
  const tokens = new Map<string, SharedToken>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    renew(product, ended, fetch) {
      const renewed = last.then(async () => {
        const known = tokens.get(product)
        if (known && known.token !== ended && known.endsAt > clock.now()) return known
        const token = await fetch()
        tokens.set(product, token)
        return token
      })
      last = renewed.catch(() => undefined)
      return renewed
    },
  }
}

interface Connecting extends Pick<RailAccount, 'settings' | 'currency' | 'baseUrl'> {
  readonly clock: FixedClock
  readonly timers: Timers
  readonly shared: SharedTokens
}

/** The rail account as a gateway connects it, with all that it records. */
function connect(kind: RailKind, { clock, timers, shared, ...account }: Connecting) {
  const records: OperatorExchange[] = []
  const faults: unknown[] = []
  const connected = connectRailAccount(
    kind,
    {
      ...account,
      name: 'kit',
      rail: kind.name,
      environment: 'trial',
      callbackKeys: { keys: [{ id: '0000f00d', secret: 'f00d' }] },
      updatedAt: clock.now(),
    },
    {
      clock,
      random: { bytes: (size) => randomBytes(size) },
      timers,
      policy: SANDBOX_POLICY,
      publicUrl: () => 'https://pay.example',
      sharedTokens: () => shared,
      record: { add: (record) => void records.push(record) },
      watch: () => ({ exchanged: () => undefined, drifted: () => undefined, end: () => undefined }),
      onFault: (error) => void faults.push(error),
    },
  )
  return { ...connected, records, faults }
}

/** The refund that stands for an order in rules that hold both alike: of the whole collection. */
export function refundOf(
  { type: _type, bankCode: _bankCode, shown: _shown, ...order }: RailOrder,
  collectionOf: Required<Counterpart>['collectionOf'],
): RefundOrder {
  return { ...order, collection: { ...collectionOf(order.account), amount: order.amount } }
}

/** A rail whose orders are refunds: every rule about orders holds for them too. */
export function refundsAsOrders(rail: Rail, collectionOf: Required<Counterpart>['collectionOf']): Rail {
  const refunds = (orders: readonly RailOrder[]) => orders.map((order) => refundOf(order, collectionOf))
  return {
    traitsOf: (route) => present(rail.traitsOf(route).refund, 'the trait `refund`'),
    submit: (orders) => present(rail.refund, 'refunds')(refunds(orders)),
    query: (orders) => present(rail.queryRefund, 'queries about refunds')(refunds(orders)),
  }
}

export const newOrder = (
  { type, providerCode, amounts, bankCode }: Pick<Counterpart, 'type' | 'providerCode' | 'amounts' | 'bankCode'>,
  changes: Partial<RailOrder> & Pick<RailOrder, 'account'>,
): RailOrder => ({
  internalReference: `MLP${randomBytes(11).toString('hex').toUpperCase()}`,
  orderId: randomUUID(),
  type,
  providerCode,
  ...(bankCode !== undefined && { bankCode }),
  amount: present(amounts[0], 'an amount'),
  externalIds: {},
  ...changes,
})
