import type { Clock } from '../../actions/ports/clock.ts'
import type {
  HolderKnowledge,
  Rail,
  RailAnswer,
  RailKnowledge,
  RailOrder,
  RailReport,
  RefundTraits,
} from '../../actions/ports/rail.ts'
import type { OrderType } from '../../domain/provider.ts'
import type { Failure, FailureCode } from '../../domain/failure-code.ts'
import { POLL_RAIL_AFTER_MS, TIMED_OUT, type RailOutcome } from '../../domain/transaction.ts'

/**
 * What a simulated operator does with an order. The last three digits of the account number select it (sandbox test
 * numbers).
 */
export interface Plan {
  /** The operator is unreachable for this many tries. */
  readonly unreachableTries: number
  readonly reports: readonly { readonly afterMs: number; readonly outcome: RailOutcome }[]
}

/** An order of any sort, refunds too. */
export interface SimulatedOrder extends Pick<RailOrder, 'internalReference' | 'account' | 'amount'> {
  readonly type: OrderType
}

/** An order in the operator's book after a try. */
export interface BookedOrder {
  readonly reference: string
  readonly tries: number
  /** Whether the operator accepted it on this try. */
  readonly acceptedNow: boolean
}

interface KnownOrder {
  readonly reference: string
  readonly accepted: boolean
  /** The latest result that is due by now. */
  readonly outcome?: RailOutcome
}

/**
 * The operators' own book. It is separate from the gateway's tables and commits on its own, as a real operator's does.
 */
export interface SimulatorBook {
  /** Records a try per order. The first try that the plan lets through is accepted, once and for all. */
  submit(
    orders: readonly SimulatedOrder[],
    planOf: (order: SimulatedOrder) => Plan,
    now: Date,
  ): Promise<readonly BookedOrder[]>
  find(references: readonly string[], now: Date): Promise<readonly KnownOrder[]>
  /**
   * Passes due reports to `report` and marks them acknowledged only once it has resolved. A report that the gateway
   * rejects even on its own is quarantined.
   * @returns how many were acknowledged
   */
  reportDue(
    now: Date,
    limit: number,
    report: (reports: readonly RailReport[]) => Promise<void>,
    quarantine: Quarantine,
  ): Promise<number>
  /** When the first report that waits is due. */
  nextReport(): Promise<Date | undefined>
}

/** Called with a report that the gateway cannot process. @returns its delay in milliseconds */
export type Quarantine = (error: unknown, reference: string, failures: number) => number

const completed: RailOutcome = { status: 'COMPLETED' }
const failed = (failure: Failure): RailOutcome => ({ status: 'FAILED', ...failure })
const once = (afterMs: number, outcome: RailOutcome): Plan => ({ unreachableTries: 0, reports: [{ afterMs, outcome }] })

const SLOW_MS = 60_000

const TO_A_RECIPIENT = {
  unable: { reason: "The recipient's account cannot receive the amount", code: 'account_blocked' },
  declined: { reason: 'The recipient declined the request', code: 'declined' },
} as const

/** Why an order fails: a collection has a customer who pays, a payout a recipient who gets the money. */
const FAILURES = {
  COLLECTION: {
    unable: { reason: 'Insufficient balance on the customer account', code: 'insufficient_funds' },
    declined: { reason: 'The customer declined the request', code: 'declined' },
  },
  PAYOUT: TO_A_RECIPIENT,
  REFUND: TO_A_RECIPIENT,
} as const satisfies Record<OrderType, Record<string, Failure>>

/** Why an order fails that its customer, or recipient, declines. */
export const DECLINED = {
  COLLECTION: FAILURES.COLLECTION.declined,
  PAYOUT: FAILURES.PAYOUT.declined,
  REFUND: FAILURES.REFUND.declined,
} as const

/** The result of an order that ends so. */
export function outcomeOf(
  outcome: 'paid' | 'declined' | 'insufficient_funds' | 'expired',
  type: OrderType,
): RailOutcome {
  if (outcome === 'paid') return completed
  if (outcome === 'expired') return TIMED_OUT
  return failed(FAILURES[type][outcome === 'declined' ? 'declined' : 'unable'])
}

/** The table of test numbers. @param delayMs the default delay before a result */
export function planFor({ type, account }: Pick<SimulatedOrder, 'type' | 'account'>, delayMs: number): Plan {
  switch (account.slice(-3)) {
    case '002':
    case '456':
      return once(delayMs, failed(FAILURES[type].unable))
    case '003':
      return once(delayMs, TIMED_OUT)
    case '004':
      return once(delayMs, failed(FAILURES[type].declined))
    case '006':
      return { unreachableTries: 0, reports: [] }
    case '007':
      return {
        unreachableTries: 0,
        reports: [
          { afterMs: delayMs, outcome: TIMED_OUT },
          { afterMs: 3 * delayMs, outcome: completed },
        ],
      }
    case '008':
      return { unreachableTries: 2, reports: [{ afterMs: delayMs, outcome: completed }] }
    case '009':
      return { unreachableTries: 0, reports: [1, 1, 1].map(() => ({ afterMs: delayMs, outcome: completed })) }
    case '010':
      return once(SLOW_MS, completed)
    default:
      return once(delayMs, completed)
  }
}

/**
 * Test number 005: the customer must enter an OTP even where the provider needs none. A payout has nobody to enter
 * one: it simply completes.
 */
export const accountRequiresOtp = (account: string): boolean => account.endsWith('005')

/**
 * The result of a collection from this account, for the developer who looks at its payment page; undefined before
 * there is a number.
 */
export function sandboxForecast(account: string) {
  if (account.length < 3) return undefined
  const { unreachableTries, reports } = planFor({ type: 'COLLECTION', account }, 0)
  const [first, second] = reports.map(({ outcome }) => outcome)
  if (first === undefined) return 'stays_open'
  if (first.status === 'FAILED') return second?.status === 'COMPLETED' ? 'pays_late' : failureForecast(first.code)
  if (unreachableTries > 0) return 'pays_once_reached'
  if (accountRequiresOtp(account)) return 'asks_for_otp'
  return (reports[0]?.afterMs ?? 0) >= SLOW_MS ? 'pays_slowly' : 'pays'
}

function failureForecast(code: FailureCode | undefined) {
  if (code === 'insufficient_funds') return 'lacks_money'
  return code === 'declined' ? 'declines' : 'gives_no_answer'
}

/** As some operators do, this one answers no queries about account holders. */
const WITHOUT_HOLDERS: ReadonlySet<string> = new Set(['mpesa_ke'])
const GIVEN_NAMES = ['Grace', 'Peter', 'Amina', 'Kofi', 'Nandi'] as const
const FAMILY_NAMES = ['Auma', 'Okello', 'Mensah', 'Banda', 'Uwase'] as const

/** What a simulated operator says of an account: always the same for the same number. */
export function holderFor(account: string): HolderKnowledge {
  switch (account.slice(-3)) {
    case '011':
      return { knows: 'no_account' }
    case '012':
      return { knows: 'inactive' }
    case '013':
      return { knows: 'unreachable', error: 'connection refused (simulated)' }
    case '014':
      return { knows: 'active' }
    default: {
      const number = Number(account.slice(-3)) || 0
      return { knows: 'active', name: `${GIVEN_NAMES[number % 5]} ${FAMILY_NAMES[Math.floor(number / 5) % 5]}` }
    }
  }
}

/** What else decides about orders than their test numbers. */
export interface OrderPlans {
  /** By reference; the same order has the same plan again. Orders that are missing follow their test numbers. */
  plansFor(orders: readonly SimulatedOrder[], delayMs: number): Promise<ReadonlyMap<string, Plan>>
}

const REPORTS_MAX = 500
/** A report may queue behind others. */
const LATE_MS = 2_000

interface Simulator extends Rail {
  /** Sends due reports to the gateway. @returns how many reports were acknowledged */
  reportDue(report: (reports: readonly RailReport[]) => Promise<void>, quarantined: Quarantine): Promise<number>
  /** Whether reports for orders that this process submitted are still to come. */
  hasReportsAhead(): boolean
}

/** Stands for a rail account in the books of payments that nobody asked for, where a provider has none. */
export const SIMULATED = 'simulated-'
export const simulatedName = (providerCode: string): string => SIMULATED + providerCode.replaceAll('_', '-')

/** Its book is idempotent by our reference. */
const TRAITS: RefundTraits = { repeat: 'safe', partial: true, pollAfterMs: () => POLL_RAIL_AFTER_MS }
/** How the simulated rails refund: in parts too. */
export const SIMULATED_REFUNDS = TRAITS

/**
 * All rails of the sandbox: it behaves like an operator that keeps a book, is slow, repeats itself and is sometimes
 * unreachable.
 */
export function createSimulator({
  book,
  clock,
  delayMs,
  scenarios,
}: {
  book: SimulatorBook
  clock: Clock
  delayMs: number
  /** Decide first; absent: the test numbers alone do. */
  scenarios?: OrderPlans | undefined
}): Simulator {
  let reportedUntilMs = 0
  async function submit(orders: readonly SimulatedOrder[]): Promise<readonly RailAnswer[]> {
    const plans = await scenarios?.plansFor(orders, delayMs)
    const planOf = (order: SimulatedOrder): Plan => plans?.get(order.internalReference) ?? planFor(order, delayMs)
    const booked = await book.submit(orders, planOf, clock.now())
    const delays = orders.flatMap((order) => planOf(order).reports.map(({ afterMs }) => afterMs))
    reportedUntilMs = Math.max(reportedUntilMs, clock.now().getTime() + Math.max(0, ...delays) + LATE_MS)
    const triesOf = new Map(booked.map((order) => [order.reference, order.tries]))
    return orders.map((order): RailAnswer => {
      const tries = triesOf.get(order.internalReference)
      if (tries === undefined) throw new Error(`the simulator's book does not have ${order.internalReference}`)
      return tries <= planOf(order).unreachableTries
        ? { answer: 'unreachable', error: 'connection refused (simulated)' }
        : { answer: 'accepted' }
    })
  }

  async function query(orders: readonly Pick<RailOrder, 'internalReference'>[]): Promise<readonly RailKnowledge[]> {
    const references = orders.map(({ internalReference }) => internalReference)
    const found = await book.find(references, clock.now())
    const known = new Map(found.map((order) => [order.reference, order]))
    return references.map((reference): RailKnowledge => {
      const order = known.get(reference)
      if (!order?.accepted) return { knows: 'nothing_moved' }
      return order.outcome ? { knows: 'outcome', outcome: order.outcome } : { knows: 'in_progress' }
    })
  }

  return {
    traitsOf: ({ type, providerCode }) =>
      type === 'COLLECTION'
        ? { ...TRAITS, refund: TRAITS, unrequested: { receiptName: 'receipt', paidTo: simulatedName(providerCode) } }
        : TRAITS,
    submit,
    query,
    refund: (refunds) => submit(refunds.map((refund) => ({ ...refund, type: 'REFUND' }))),
    queryRefund: query,
    holderQuery: (providerCode) =>
      WITHOUT_HOLDERS.has(providerCode) ? undefined : async (account) => holderFor(account),

    hasReportsAhead: () => clock.now().getTime() < reportedUntilMs,

    reportDue: (report, quarantined) => book.reportDue(clock.now(), REPORTS_MAX, report, quarantined),
  }
}
