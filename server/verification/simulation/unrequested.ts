import { paidAgainMinor } from './attempts.ts'
import type { UnrequestedPayment } from '../../actions/ports/rail.ts'
import { money } from '../../domain/money.ts'
import type { SimulatedGateway } from './gateway.ts'
import type { UnrequestedRow } from './memory-store/world.ts'
import { bodyOf, type SimulatedUnrequested } from './operator-unrequested.ts'
import { TYPED } from './market.ts'
import { MINUTE, SECOND } from './spans.ts'
import type { Stage } from './stage.ts'

// Customers pay without being asked, and the operator tells us of it; so does whoever has found the address.

/** A few payments, some of them made up, each told once or several times, with its amount or another one. */
export async function unrequestedPayments(
  stage: Stage,
  { paid }: SimulatedUnrequested,
  railAccount: string,
): Promise<void> {
  const { choices, gateway } = stage
  const { scheduler, reference } = gateway
  const { currency, unitMinor, callingCode, prefix } = reference.market
  for (let n = 1 + choices.among(3); n > 0; n -= 1) {
    await scheduler.sleep(choices.of(SECOND, 0, 20 * SECOND, 11 * MINUTE))
    const amount = money(choices.of(700n, 1n, 5_000n) * unitMinor, currency)
    const payment: UnrequestedPayment = {
      receipt: `UNASKED-${n}`,
      amount,
      paidAt: new Date(scheduler.nowMs),
      account: `${callingCode}${prefix}300000${n}`,
      ...choices.of<{ readonly reference?: string }>({ reference: TYPED[0] }, { reference: 'inv2' }, {}),
    }
    if (choices.rarely(0.3) === 0) paid.set(payment.receipt, payment)
    const isWrong = choices.rarely(0.2) === 1
    const told = isWrong
      ? { ...payment, amount: money(amount.amountMinor * 10n, currency), reference: 'inv2' }
      : payment
    const bodies = Array.from({ length: 1 + choices.rarely(0.3, 3) }, (_, time) =>
      time % 2 === 0 ? bodyOf(told) : bodyOf(payment),
    )
    // The operator sends a message again until it is acknowledged.
    const tell = (body: string) =>
      stage.insist(({ accountMessages, clock }) =>
        accountMessages.receive({ railAccount, method: 'POST', body }, clock.now()),
      )
    await Promise.all(bodies.map(tell))
  }
}

const isDone = ({ isBooked, transactionId }: UnrequestedRow): boolean => isBooked || transactionId !== undefined

/** What the operator has booked for no collection is on suspense once, in its own amount; what it has not is nowhere. */
export function unrequestedBooked({ rail, world }: SimulatedGateway): string[] {
  const { unrequested } = rail
  if (!unrequested) return []
  const rows = [...world.unrequested.values()]
  const expected = rows.reduce((sum, { receipt, isBooked }) => {
    const amountMinor = unrequested.paid.get(receipt)?.amount.amountMinor ?? 0n
    return isBooked ? sum + amountMinor : sum
  }, paidAgainMinor(world))
  const suspense = [...world.accounts.values()].reduce(
    (sum, { key, balanceMinor }) => (key.kind === 'suspense' ? sum + balanceMinor : sum),
    0n,
  )
  const messages = [...world.accountMessages.values()]
  return [
    ...(suspense === expected ? [] : [`on suspense are ${suspense}, and the operator has ${expected} for it`]),
    ...rows
      .filter((row) => isDone(row) && !unrequested.paid.has(row.receipt))
      .map(({ receipt }) => `${receipt} is booked, and nobody paid it`),
    // Queried in vain, each time by a process that died: a statement settles it.
    ...rows
      .filter((row) => !isDone(row) && unrequested.paid.has(row.receipt))
      .filter(() => !messages.some(({ result }) => result === 'unconfirmed'))
      .map(({ receipt }) => `${receipt} was paid and is not booked`),
    ...('acknowledged' in unrequested ? [...unrequested.acknowledged] : [])
      .filter((receipt) => !rows.some((row) => row.receipt === receipt))
      .map((receipt) => `the message about ${receipt} was accepted and is lost`),
    ...messages
      .filter(({ result }) => result === undefined)
      .map(({ id }) => `the message ${id} to the rail account is not read`),
  ]
}
