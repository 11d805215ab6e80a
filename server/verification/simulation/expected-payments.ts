import { expectPayment } from '../../actions/expect-payment.ts'
import { typedReference } from '../../domain/expected-payment.ts'
import { amountToWire } from '../../domain/money.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { MemoryWorld } from './memory-store/world.ts'
import { TYPED } from './market.ts'
import { PHONE_PROVIDER } from './reference.ts'
import { HOUR, MINUTE, SECOND } from './spans.ts'
import { ignoreRefusal, type Stage } from './stage.ts'

/** Merchants expect payments: of an exact amount or a free one, for a moment or for hours. */
export async function expectsPayments(stage: Stage): Promise<void> {
  const { choices, gateway } = stage
  const { reference, scheduler } = gateway
  const { currency, unitMinor } = reference.market
  for (const [n, typed] of TYPED.entries()) {
    await scheduler.sleep(choices.of(0, SECOND, 5 * MINUTE))
    const isFree = choices.rarely(0.3) === 1
    const request = {
      providerCode: PHONE_PROVIDER,
      merchantReference: `expected-${n}`,
      reference: typed,
      currency,
      ...(!isFree && { amount: amountToWire(700n * unitMinor, currency) }),
      expiresInSeconds: choices.of(3 * HOUR, MINUTE, 12 * MINUTE) / SECOND,
      description: 'An invoice to pay',
    }
    await stage.insist((deps) => expectPayment(deps, reference.merchant(1n + BigInt(n)), request)).catch(ignoreRefusal)
  }
}

/** Whether its customer started it, or paid it too. */
export const isOfExpected = (world: MemoryWorld, { id }: Pick<Transaction, 'id'>): boolean =>
  world.expected.has(world.triedCollections.get(id) ?? id)

/** Whether its customer may still pay. */
export const isExpectedNow = ({ world, scheduler }: SimulatedGateway, { id }: Pick<Transaction, 'id'>): boolean =>
  (world.expected.get(id)?.expiresAt.getTime() ?? 0) > scheduler.nowMs

/** Every one that is paid is paid once, by what the operator has booked under its reference; no receipt pays twice. */
export function expectedPaid({ rail, world }: SimulatedGateway): string[] {
  const paid = rail.unrequested?.paid
  const rows = [...world.unrequested.values()]
  return [...world.expected.values()].flatMap(({ transactionId, reference, minMinor, maxMinor }) => {
    const { status, amount, merchantReference } = world.transactions.existing(transactionId).transaction
    const kept = (world.attempts.get(transactionId) ?? []).length
    const own = rows.filter((row) => row.transactionId === transactionId)
    const fitting = own.filter(({ receipt }) => {
      const payment: { readonly amount: typeof amount; readonly reference?: string } | undefined = paid?.get(receipt)
      if (!payment || (payment.reference !== undefined && typedReference(payment.reference) !== reference)) return false
      return payment.amount.amountMinor >= minMinor && payment.amount.amountMinor <= maxMinor
    })
    const isPaid = status === 'COMPLETED'
    return [
      ...(own.length === kept + (isPaid ? 1 : 0)
        ? []
        : [`${merchantReference} (${status}) has ${own.length} payments`]),
      ...(own.every(({ receipt }) => paid?.has(receipt)) ? [] : [`${merchantReference} has what nobody paid`]),
      ...(isPaid && !fitting.some((one) => one.amount.amountMinor === amount.amountMinor)
        ? [`${merchantReference} is COMPLETED by no payment of ${amount.amountMinor} under its reference`]
        : []),
    ]
  })
}
