import { EMPTY, readBalances } from './balances.ts'
import { minorOf } from './money.ts'
import type { Payment } from './payment.ts'
import { isClockStopped, type PaymentModel, type SystemUnderTest } from './world.ts'

/** The movement of a payment in its wallet, by its verify reply. */
function movedMinor({ record: reported }: Payment): bigint {
  if (reported.transaction_type === 'COLLECTION')
    return reported.transaction_status === 'COMPLETED'
      ? (minorOf(reported.total_credit, reported.transaction_currency) ?? 0n)
      : 0n
  const held = reported.transaction_status === 'PROCESSING' || reported.transaction_status === 'COMPLETED'
  return held ? -(minorOf(reported.total_debit, reported.transaction_currency) ?? 0n) : 0n
}

export const walletOf = ({ type, draft }: Payment): string => `MERCHANT_${type} ${draft.way.currency}`

/** The balance of a wallet by all verify replies. */
export const expectedMinor = (model: PaymentModel, real: SystemUnderTest, wallet: string): bigint =>
  model.payments
    .filter((payment) => walletOf(payment) === wallet)
    .reduce((sum, payment) => sum + movedMinor(payment), (real.opening.get(wallet) ?? EMPTY).availableMinor)

/** Every wallet has exactly the sum of its payments, and none is below zero. @throws Violation */
export async function checkWallets(model: PaymentModel, real: SystemUnderTest): Promise<void> {
  const { malipo, rules, opening } = real
  const now = await readBalances(malipo)
  for (const name of new Set([...opening.keys(), ...now.keys()])) {
    const { availableMinor, actualMinor } = now.get(name) ?? EMPTY
    rules.hold(
      'no wallet is below zero',
      availableMinor >= 0n && actualMinor >= availableMinor,
      `${name} has ${availableMinor} minor units available of ${actualMinor}`,
    )
    const before = opening.get(name) ?? EMPTY
    const moved = expectedMinor(model, real, name) - before.availableMinor
    rules.hold(
      'a wallet moves by exactly total_credit and total_debit',
      actualMinor - before.actualMinor === moved,
      `${name} moved by ${actualMinor - before.actualMinor} minor units since the run began; its payments, by their verify replies, by ${moved}`,
    )
    // On another server it is unknown whether credit has to clear first.
    if (isClockStopped(real))
      rules.hold(
        'a wallet moves by exactly total_credit and total_debit',
        availableMinor - before.availableMinor === moved,
        `${name} has ${availableMinor - before.availableMinor} minor units more available, not ${moved}`,
      )
  }
}
