import { reported } from '../../driver/api-replies.ts'
import { wireOf } from '../../driver/money.ts'
import type { Bank } from './lists.ts'
import type { PaymentCase } from './payment-cases.ts'
import type { Option } from './listed-options.ts'
import { aboutOf, accountOf, bodyOf, nameOf, send } from './play.ts'
import { forEachOf, type OptionsFixture } from './fixture.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/** One minor unit beyond each limit is refused, with the declared message. */
export async function beyondLimits(
  fixture: OptionsFixture,
  options: readonly Option[],
  banks: readonly Bank[],
): Promise<number> {
  const requested = options.flatMap((option) => {
    const bank = banks.find(({ provider, isActive }) => provider === option.code && isActive)
    const beyond = (what: string, amountMinor: bigint): PaymentCase => ({
      option,
      what,
      currency: option.currency,
      amountMinor,
      transactionMinor: amountMinor,
      chargeCustomer: false,
      outcome: { ending: '001', status: 'COMPLETED', message: '' },
      ...(option.type === 'PAYOUT' && option.method === 'BANK' && bank && { bank }),
    })
    return [
      // An amount of zero is another fault.
      ...(option.minMinor > 1n ? [beyond('one unit below the smallest amount', option.minMinor - 1n)] : []),
      beyond('one unit above the largest amount', option.maxMinor + 1n),
    ]
  })
  await forEachOf(requested, (paymentCase) => refused(fixture, paymentCase))
  return requested.length
}

/** Amounts outside the limits, which the message names in the provider's currency. */
export function refused(fixture: OptionsFixture, paymentCase: PaymentCase): Promise<void> {
  const { option } = paymentCase
  const [min, max] = [option.minMinor, option.maxMinor].map((minor) => wireOf(minor, option.currency))
  return refusedWith(
    fixture,
    paymentCase,
    refusal('amount_range', { '500': String(min), '3000000': String(max), UGX: option.currency }),
  )
}

/** @param wanted the message of the refusal */
export async function refusedWith(fixture: OptionsFixture, paymentCase: PaymentCase, wanted: string): Promise<void> {
  const { option, currency, amountMinor } = paymentCase
  const serial = fixture.serial()
  const reference = fixture.reference(serial)
  const answer = await send(fixture, paymentCase, bodyOf(paymentCase, reference, accountOf(option, serial, '001')))
  const isRight = answer.status === 400 && answer.message === wanted
  const what = `${nameOf(paymentCase)} (${wireOf(amountMinor, currency)} ${currency}) was answered ${reported(answer)}, not 400 "${wanted}"`
  fixture.hold(aboutOf(paymentCase), paymentCase.what, !isRight && what, nameOf(paymentCase), [answer])
}
