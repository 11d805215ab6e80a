import type fc from 'fast-check'
import { present } from '../../../harness/part.ts'
import { observe } from '../observe.ts'
import type { Payment } from '../payment.ts'
import { checkCallbacks } from '../callbacks.ts'
import { isClockStopped, type PaymentModel, type SystemUnderTest } from '../world.ts'

export type Command = fc.AsyncCommand<PaymentModel, SystemUnderTest>

/** `worked`: due jobs have run, so callbacks have been sent; `nothing`: no payment may have changed. */
export type Effect = 'worked' | 'states' | 'nothing'

interface CommandParts {
  readonly words: string
  /** Whether it is applicable now; absent: always. */
  readonly ready?: (model: Readonly<PaymentModel>) => boolean
  /** @returns what it may have changed */
  readonly run: (model: PaymentModel, real: SystemUnderTest) => Promise<Effect>
}

/** Runs a command and then checks all invariants. */
export const command = ({ words, ready = () => true, run }: CommandParts): Command => ({
  check: ready,
  async run(model, real) {
    const effect = await run(model, real)
    if (effect !== 'nothing') await observe(model, real)
    if (isClockStopped(real) && effect === 'worked') checkCallbacks(model, real)
  },
  toString: () => words,
})

/** The same number picks the same payment, however many candidates there are. @throws Error when there is none */
export function pick(payments: readonly Payment[], n: number): Payment {
  return present(payments[n % Math.max(payments.length, 1)], 'payment to pick')
}
