import type { AccountMessage, Rail, UnrequestedPayment } from '../../actions/ports/rail.ts'
import { money } from '../../domain/money.ts'
import type { Member, Scheduler } from './scheduler.ts'

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
        ({ about: 'payment', payment: paymentIn(body), receiptName: 'receipt' }) satisfies AccountMessage,
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

/** A message about it. */
export const bodyOf = ({ amount, paidAt, ...rest }: UnrequestedPayment): string =>
  JSON.stringify({ ...rest, minor: String(amount.amountMinor), currency: amount.currency, at: paidAt })

function paymentIn(body: string): UnrequestedPayment {
  const { minor, currency, at, receipt = '', ...rest } = JSON.parse(body) as Readonly<Record<string, string>>
  return { ...rest, receipt, amount: money(BigInt(minor ?? 0), currency ?? ''), paidAt: new Date(at ?? 0) }
}
