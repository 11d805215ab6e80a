import type { AccountMessage, Rail, UnrequestedPayment } from '../../actions/ports/rail.ts'
import { money } from '../../domain/money.ts'
import type { SimulatedGateway } from './gateway.ts'
import { isUnknown } from './process.ts'
import type { Member, Scheduler } from './scheduler.ts'
import { MINUTE, SECOND } from './spans.ts'
import { AGAIN_MS, TRIES_MAX, type Stage } from './stage.ts'

// Customers pay without being asked, and the operator tells us of it; so does whoever has found the address.

/** A claim that is queried this often without an answer is still answered before the gateway gives up. */
const UNANSWERED_MAX = 3

/** The operator's own records of payments that nobody asked for. */
export class SimulatedUnrequested {
  readonly paid = new Map<string, UnrequestedPayment>()
  private readonly unanswered = new Map<string, number>()
  private readonly scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler
  }

  /** @param isLost whether a query gets no answer, or the operator's list lags behind */
  connectionOf(member: Member, isLost: () => boolean): Pick<Rail, 'readMessage' | 'confirmPayment'> {
    return {
      readMessage: (_railAccount, { body }) =>
        ({ about: 'payment', payment: paymentIn(body) }) satisfies AccountMessage,
      confirmPayment: async (_railAccount, { receipt }) => {
        await this.scheduler.step(member, 'network', `queries the payment ${receipt}`)
        const before = this.unanswered.get(receipt) ?? 0
        const fails = before < UNANSWERED_MAX && isLost()
        if (fails) this.unanswered.set(receipt, before + 1)
        await this.scheduler.step(member, 'network', 'receives what the operator has booked')
        return fails ? undefined : this.paid.get(receipt)
      },
    }
  }
}

const bodyOf = ({ receipt, amount, paidAt }: UnrequestedPayment): string =>
  JSON.stringify({ receipt, amount: String(amount.amountMinor), currency: amount.currency, at: paidAt })

function paymentIn(body: string): UnrequestedPayment {
  const { receipt, amount, currency, at } = JSON.parse(body) as Readonly<Record<string, string>>
  return { receipt: receipt ?? '', amount: money(BigInt(amount ?? 0), currency ?? ''), paidAt: new Date(at ?? 0) }
}

/** A few payments, some of them made up, each told once or several times, with its amount or another one. */
export async function unrequestedPayments(
  stage: Stage,
  { paid }: SimulatedUnrequested,
  railAccount: string,
): Promise<void> {
  const { choices, gateway } = stage
  const { scheduler, reference } = gateway
  const { currency, unitMinor } = reference.market
  for (let n = 1 + choices.among(3); n > 0; n -= 1) {
    await scheduler.sleep(choices.of(SECOND, 0, 20 * SECOND, 11 * MINUTE))
    const amount = money(choices.of(700n, 1n, 5_000n) * unitMinor, currency)
    const payment = { receipt: `UNASKED-${n}`, amount, paidAt: new Date(scheduler.nowMs) }
    if (choices.rarely(0.3) === 0) paid.set(payment.receipt, payment)
    const isWrong = choices.rarely(0.2) === 1
    const told = isWrong ? { ...payment, amount: money(amount.amountMinor * 10n, currency) } : payment
    const bodies = Array.from({ length: 1 + choices.rarely(0.3, 3) }, (_, time) =>
      time % 2 === 0 ? bodyOf(told) : bodyOf(payment),
    )
    await Promise.all(bodies.map((body) => tell(stage, railAccount, body)))
  }
}

/** The operator sends a message again until it is acknowledged. */
async function tell(stage: Stage, railAccount: string, body: string): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1)
    try {
      await stage.served(stage.choices.among(3), ({ accountMessages, clock }) =>
        accountMessages.receive({ railAccount, method: 'POST', body }, clock.now()),
      )
      return
    } catch (error) {
      if (!isUnknown(error)) throw error
      await stage.gateway.scheduler.sleep(AGAIN_MS)
    }
}

/** What the operator has booked is on suspense once, in its own amount; what it has not is nowhere. */
export function unrequestedBooked({ rail, world }: SimulatedGateway): string[] {
  const { unrequested } = rail
  if (!unrequested) return []
  const rows = [...world.unrequested.values()]
  const expected = rows.reduce((sum, { receipt, isBooked }) => {
    const amountMinor = unrequested.paid.get(receipt)?.amount.amountMinor ?? 0n
    return isBooked ? sum + amountMinor : sum
  }, 0n)
  const suspense = [...world.accounts.values()].reduce(
    (sum, { key, balanceMinor }) => (key.kind === 'suspense' ? sum + balanceMinor : sum),
    0n,
  )
  const messages = [...world.accountMessages.values()]
  return [
    ...(suspense === expected ? [] : [`on suspense are ${suspense}, and the operator has ${expected} for it`]),
    ...rows
      .filter(({ receipt, isBooked }) => isBooked && !unrequested.paid.has(receipt))
      .map(({ receipt }) => `${receipt} is booked, and nobody paid it`),
    // Queried in vain, each time by a process that died: a statement settles it.
    ...rows
      .filter(({ receipt, isBooked }) => !isBooked && unrequested.paid.has(receipt))
      .filter(() => !messages.some(({ result }) => result === 'unconfirmed'))
      .map(({ receipt }) => `${receipt} was paid and is not booked`),
    ...messages
      .filter(({ result }) => result === undefined)
      .map(({ id }) => `the message ${id} to the rail account is not read`),
  ]
}
