import type fc from 'fast-check'
import { present } from '../../../harness/part.ts'
import { observe } from '../observe.ts'
import type { Payment } from '../payment.ts'
import { checkCallbacks } from '../told.ts'
import { checkWallets } from '../wallets.ts'
import { standsStill, type PaymentModel, type SystemUnderTest } from '../world.ts'

export type Command = fc.AsyncCommand<PaymentModel, SystemUnderTest>

/** `worked`: what was due is done, so callbacks have been sent; `nothing`: no payment may have changed. */
export type Effect = 'worked' | 'states' | 'nothing'

interface CommandParts {
  readonly words: string
  /** Whether it makes sense now; absent: always. */
  readonly ready?: (model: Readonly<PaymentModel>) => boolean
  /** @returns what it may have changed */
  readonly run: (model: PaymentModel, real: SystemUnderTest) => Promise<Effect>
}

/** A command, and after it everything that must always be true. */
export const command = ({ words, ready = () => true, run }: CommandParts): Command => ({
  check: ready,
  async run(model, real) {
    const effect = await run(model, real)
    if (effect !== 'nothing') await observe(model, real)
    // Elsewhere payments go on while we look: their wallets are looked at when they have ended.
    if (standsStill(real)) await checkWallets(model, real)
    if (standsStill(real) && effect === 'worked') checkCallbacks(model, real)
  },
  toString: () => words,
})

/** The same number picks the same payment, however many there are that fit. @throws Error when none does */
export function pick(payments: readonly Payment[], n: number): Payment {
  return present(payments[n % Math.max(payments.length, 1)], 'payment to pick')
}
