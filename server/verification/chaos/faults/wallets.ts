import { present } from '../../../domain/present.ts'
import { OPERATORS_BOOK } from '../../testing/operators-book.ts'
import { pause, patiently, until } from '../patience.ts'
import { between, oneOf, wholeBetween, type Random } from '../seeded.ts'
import { CURRENCY } from '../staff.ts'
import { PAYOUT, payout, type Payment } from '../payments.ts'
import type { FaultKind, ChaosEnvironment } from './fault.ts'

// Holds, releases and late completions compete for the balance of a nearly empty wallet, while staff deposit and
// withdraw money.

const BURST = [3, 6] as const
/** Account endings: failed and then completed late, failed, completed. */
const BURST_ENDINGS = ['007', '007', '002', '123'] as const
/** Long enough for both reports about 007: they are then processed in one batch. */
const STANDSTILL_MS = 3_000
const AT_RAIL_MS_MAX = 10_000

export const wallets: FaultKind = {
  name: 'wallets',
  what: 'payouts that fail, some to complete late (007), from a wallet that is emptied and filled in between',
  spacingMs: 6_000,
  prepare: (world) => level(world, 5),
  async plant(world, random) {
    const payments = burst(random, world.load.nextNumber())
    const covered = wholeBetween(random, 1, payments.length)
    const then = oneOf(random, [
      'emptied',
      'deposited',
      'moved back',
      'all workers stand still',
      'emptied while all workers stand still',
    ] as const)
    await level(world, covered)
    await Promise.all([
      Promise.all(payments.map((payment) => world.load.send(payment))),
      follow(world, random, then, payments),
    ])
    return `${payments.length} payouts from a wallet for ${covered}, ${then}`
  },
}

const burst = (random: Random, number: number): Payment[] =>
  Array.from({ length: wholeBetween(random, ...BURST) }, (_, n) =>
    payout(`BURST-${String(number).padStart(6, '0')}-${n}`, number * 10 + n, oneOf(random, BURST_ENDINGS)),
  )

async function follow(
  world: ChaosEnvironment,
  random: Random,
  then: string,
  payments: readonly Payment[],
): Promise<void> {
  const { staff } = world
  if (then.includes('stand still')) {
    await atRail(world, payments)
    const emptied = then.startsWith('emptied') ? level(world, 0) : undefined
    await standStill(world)
    return emptied
  }
  await pause(between(random, 0, 2_000))
  if (then === 'emptied') return level(world, 0)
  const amount = PAYOUT.total * wholeBetween(random, 1, 3)
  return then === 'deposited' ? staff.deposit(amount) : staff.transfer(amount, 'collection', 'payout')
}

/** Adjusts the payout wallet to cover this many payouts, as far as nobody else books at the same time. */
async function level({ pool, staff }: ChaosEnvironment, payouts: number): Promise<void> {
  const { rows } = await patiently(() =>
    pool.query<{ minor: string }>(
      `select coalesce(sum(balance_minor), 0) as minor from accounts where kind = 'payout_available' and currency = $1`,
      [CURRENCY],
    ),
  )
  // This currency has no decimals: staff type minor units.
  const surplus = Number(present(rows[0], 'the balance').minor) - payouts * PAYOUT.total
  if (surplus > 0) await staff.transfer(surplus, 'payout', 'collection')
  if (surplus < 0) await staff.deposit(-surplus)
}

/**
 * Waits until the rail has one of them. Gives up after a while: with other faults in the drill it may take too long.
 */
async function atRail({ pool }: ChaosEnvironment, payments: readonly Payment[]): Promise<void> {
  const references = payments.map(({ reference }) => reference)
  const accepted = () =>
    pool.query<{ some: boolean }>(
      `select exists (
         select from transactions t join ${OPERATORS_BOOK} o on o.reference = t.internal_reference
         where t.merchant_reference = any($1) and o.accepted_at is not null) as some`,
      [references],
    )
  const railHasOne = async () => present((await patiently(accepted)).rows[0], 'whether the rail has one').some
  await until(railHasOne, AT_RAIL_MS_MAX, 'the rail has one').catch(() => undefined)
}

const standStill = ({ fleet }: ChaosEnvironment): Promise<unknown> =>
  Promise.all(
    fleet.members
      .filter(({ role, isPaused }) => role === 'worker' && !isPaused())
      .map((worker) => worker.pauseFor(STANDSTILL_MS)),
  )
