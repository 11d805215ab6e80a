import type { ReportedBalances } from '../actions/ports/account-messages.ts'
import type { Clock } from '../actions/ports/clock.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { moneyFromWire } from '../domain/money.ts'
import { averageSpend, unexplained, type BookedMoney } from '../domain/rail-balance.ts'
import type { Adapter, RailBalance } from '../rails/rail-kind.ts'
import {
  bookedMoney,
  claimBalancePoll,
  openingOf,
  saveBalancePoll,
  saveQuestion,
  takeQuestion,
  type BalanceQuery,
  type FloatBefore,
} from '../storage/rail-balances.ts'
import { wakePayouts } from '../storage/payout-waits.ts'
import type { Pool } from '../storage/pool.ts'
import type { ConnectedRailAccount } from './connect-rail-account.ts'

/** How often an operator's balance is polled, by all processes together. */
export const BALANCE_POLL_MS = 5 * 60_000
/** While payouts wait for a top-up: it is to be noticed soon. */
export const TOP_UP_POLL_MS = 20_000

interface BalanceWatch {
  readonly pool: Pool
  readonly clock: Clock
  readonly railAccounts: () => ReadonlyMap<string, RailAccount>
  readonly connect: (name: string) => Pick<ConnectedRailAccount, 'adapter'> | undefined
  /** Called with the reason why an operator's balance could not be compared. */
  readonly onError: (error: unknown, railAccount: string) => void
}

/** The limit of concurrent polls. One that hangs takes seconds; the others must not wait for it. */
export const QUERIED_AT_ONCE_MAX = 8

/**
 * Compares the balance that each operator reports with our ledger. An operator that does not answer, or not yet,
 * delays no other.
 */
export async function watchBalances({ pool, clock, railAccounts, connect, onError }: BalanceWatch): Promise<void> {
  const waiting = railAccounts().entries()
  async function queryNext(): Promise<void> {
    for (const [name, railAccount] of waiting)
      try {
        const connection = connect(name)
        if (!connection) continue
        const every = { everyMs: BALANCE_POLL_MS, waitedForMs: TOP_UP_POLL_MS }
        const before = await claimBalancePoll(pool, name, railAccount.currency, clock.now(), every)
        if (before) await pollBalance(pool, clock, railAccount, connection, before)
      } catch (error) {
        onError(error, name)
      }
  }
  await Promise.all(Array.from({ length: QUERIED_AT_ONCE_MAX }, queryNext))
}

async function pollBalance(
  pool: Pool,
  clock: Clock,
  railAccount: RailAccount,
  { adapter }: Pick<ConnectedRailAccount, 'adapter'>,
  before: FloatBefore,
): Promise<void> {
  const { name, currency } = railAccount
  if (!adapter.askBalances)
    return keepPoll(pool, railAccount, before, await compareBalance(pool, railAccount, adapter), clock.now())
  const asked = { ...(await bookedMoney(pool, name, currency)), handedMinor: before.handedMinor }
  return saveQuestion(pool, name, await adapter.askBalances(), asked, clock.now())
}

/** Stores a comparison, and wakes the payouts that wait for float. */
async function keepPoll(
  pool: Pool,
  { name, currency, settings }: RailAccount,
  before: FloatBefore | undefined,
  { comparison, floatMinor }: BalanceCompared,
  now: Date,
): Promise<void> {
  if (!comparison) return
  const low = settings['float_low']
  const float = before &&
    floatMinor !== undefined && {
      floatMinor,
      handedMinor: before.handedMinor,
      spend: averageSpend(before.spend, before.handedMinor - before.handedWhenReadMinor, now),
      ...(low && { lowMinor: moneyFromWire(low, currency).amountMinor }),
    }
  await saveBalancePoll(pool, { railAccount: name, currency, ...comparison, ...(float && { float }) }, now)
  await wakePayouts(pool, name, now)
}

/** Compares balances that an operator reports by a message, if they answer a question of ours. */
export const createReportedBalances = (
  pool: Pool,
  railAccounts: () => ReadonlyMap<string, RailAccount>,
): ReportedBalances => ({
  async take(name, question, balances, now) {
    const answered = await takeQuestion(pool, name, question)
    if (!answered) return false
    const railAccount = railAccounts().get(name)
    if (!railAccount) return true
    const compared = await compareBalance(pool, railAccount, answering(balances), answered.asked)
    await keepPoll(pool, railAccount, answered.float, compared, now)
    return true
  },
})

const answering = (balances: readonly RailBalance[]): Pick<Adapter, 'balances'> => ({
  balances: () => Promise.resolve(balances),
})

/** The balance at an operator, and our ledger's at the same time. */
export interface BalanceCompared {
  /**
   * In the currency of the rail account; empty: the operator has no call for balances, or reports none in this
   * currency.
   */
  readonly accounts: readonly RailBalance[]
  readonly booked: BookedMoney
  /** Absent: there is nothing to compare. */
  readonly comparison?: Omit<BalanceQuery, 'railAccount' | 'currency' | 'float'>
  /**
   * What the operator can still pay out for us: orders that it may not have paid yet are taken off, although it may
   * have. Absent: it does not say what it pays from.
   */
  readonly floatMinor?: bigint
}

/**
 * Queries the operator now, and stores nothing.
 * @param asked our books when it was asked, if that was earlier
 * @throws what the adapter throws when the operator does not answer
 */
export async function compareBalance(
  pool: Pool,
  { name, currency, settings }: RailAccount,
  adapter: Pick<Adapter, 'balances'>,
  asked?: BookedMoney,
): Promise<BalanceCompared> {
  const before = asked ?? (await bookedMoney(pool, name, currency))
  const accounts = (await adapter.balances()).filter(({ available }) => available.currency === currency)
  const booked = await bookedMoney(pool, name, currency)
  if (accounts.length === 0) return { accounts, booked }
  const operatorMinor = accounts.reduce((sum, { available }) => sum + available.amountMinor, 0n)
  const polls = [before, booked]
  // The balance before Malipo is the opening balance: from then on only changes count.
  const openingMinor = (await openingOf(pool, name, currency)) ?? unexplained(polls, operatorMinor, 0n)
  const toleranceMinor = moneyFromWire(settings['balance_tolerance'] || '0', currency).amountMinor
  const unexplainedMinor = unexplained(polls, operatorMinor - openingMinor, toleranceMinor)
  const floats = accounts.filter(({ isFloat }) => isFloat)
  const heldMinor = floats.reduce((sum, { available }) => sum + available.amountMinor, 0n)
  return {
    accounts,
    booked,
    ...(floats.length > 0 && { floatMinor: heldMinor - before.openOutMinor }),
    comparison: { ledgerMinor: booked.ledgerMinor, operatorMinor, openingMinor, unexplainedMinor },
  }
}
