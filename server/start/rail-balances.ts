import type { Clock } from '../actions/ports/clock.ts'
import type { Installation } from '../domain/installation.ts'
import { moneyFromWire } from '../domain/money.ts'
import { unexplained, type BookedMoney } from '../domain/rail-balance.ts'
import type { Adapter, RailBalance } from '../rails/rail-kind.ts'
import {
  bookedMoney,
  claimBalanceLook,
  openingOf,
  saveBalanceLook,
  type BalanceLook,
} from '../storage/rail-balances.ts'
import type { Pool } from '../storage/pool.ts'
import type { ConnectedInstallation } from './connect-installation.ts'

/** How often an operator is asked what it holds, by all processes together. */
export const BALANCE_LOOK_MS = 5 * 60_000

export interface BalanceWatch {
  readonly pool: Pool
  readonly clock: Clock
  readonly installations: () => ReadonlyMap<string, Installation>
  readonly connect: (name: string) => Pick<ConnectedInstallation, 'adapter'> | undefined
  /** Hears why an operator's balance could not be compared. */
  readonly onError: (error: unknown, installation: string) => void
}

/** So many operators are asked at the same time. One that hangs takes seconds; the others must not wait for it. */
export const ASKED_AT_ONCE_MAX = 8

/**
 * Holds what each operator says that it has of ours against our book. One that does not answer, or not yet, holds up no
 * other.
 */
export async function watchBalances({ pool, clock, installations, connect, onError }: BalanceWatch): Promise<void> {
  const waiting = installations().entries()
  async function askNext(): Promise<void> {
    for (const [name, installation] of waiting)
      try {
        const connection = connect(name)
        if (!connection) continue
        if (!(await claimBalanceLook(pool, name, installation.currency, clock.now(), BALANCE_LOOK_MS))) continue
        await lookAt(pool, clock, installation, connection)
      } catch (error) {
        onError(error, name)
      }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE_MAX }, askNext))
}

async function lookAt(
  pool: Pool,
  clock: Clock,
  installation: Installation,
  { adapter }: Pick<ConnectedInstallation, 'adapter'>,
): Promise<void> {
  const { comparison } = await compareBalance(pool, installation, adapter)
  if (comparison)
    await saveBalanceLook(
      pool,
      { installation: installation.name, currency: installation.currency, ...comparison },
      clock.now(),
    )
}

/** What an operator says, and what our book says of it at that time. */
export interface BalanceCompared {
  /** In the currency of the installation; none: the operator has no call for that, or nothing in it. */
  readonly accounts: readonly RailBalance[]
  readonly booked: BookedMoney
  /** Absent: there is nothing to compare. */
  readonly comparison?: Omit<BalanceLook, 'installation' | 'currency'>
}

/** Asks now, and keeps nothing. @throws what the adapter throws when the operator does not tell */
export async function compareBalance(
  pool: Pool,
  { name, currency, settings }: Installation,
  adapter: Pick<Adapter, 'balances'>,
): Promise<BalanceCompared> {
  const before = await bookedMoney(pool, name, currency)
  const accounts = (await adapter.balances()).filter(({ available }) => available.currency === currency)
  const booked = await bookedMoney(pool, name, currency)
  if (accounts.length === 0) return { accounts, booked }
  const operatorMinor = accounts.reduce((sum, { available }) => sum + available.amountMinor, 0n)
  const looks = [before, booked]
  // What was there before Malipo was: from then on only changes count.
  const openingMinor = (await openingOf(pool, name, currency)) ?? unexplained(looks, operatorMinor, 0n)
  const toleranceMinor = moneyFromWire(settings['balance_tolerance'] || '0', currency).amountMinor
  const unexplainedMinor = unexplained(looks, operatorMinor - openingMinor, toleranceMinor)
  return {
    accounts,
    booked,
    comparison: { ledgerMinor: booked.ledgerMinor, operatorMinor, openingMinor, unexplainedMinor },
  }
}
