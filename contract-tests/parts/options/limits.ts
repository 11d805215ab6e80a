import { reported } from '../apart/answers.ts'
import { wireOf } from '../model/money.ts'
import type { Bank } from './lists.ts'
import type { PaymentCase } from './lives.ts'
import type { Option } from './offered.ts'
import { aboutOf, accountOf, bodyOf, nameOf, send } from './play.ts'
import { forEachOf, type OptionsFixture } from './till.ts'

/** One minor unit beyond each limit is refused, in the declared words. */
export async function beyondLimits(
  till: OptionsFixture,
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
      // Nothing at all is another fault.
      ...(option.minMinor > 1n ? [beyond('one unit below the smallest amount', option.minMinor - 1n)] : []),
      beyond('one unit above the largest amount', option.maxMinor + 1n),
    ]
  })
  await forEachOf(requested, (life) => refused(till, life))
  return requested.length
}

/** Outside the limits, which are told in the provider's currency. */
export function refused(till: OptionsFixture, life: PaymentCase): Promise<void> {
  const { option } = life
  const [min, max] = [option.minMinor, option.maxMinor].map((minor) => wireOf(minor, option.currency))
  return refusedWith(till, life, `amount must be between ${min} and ${max} ${option.currency}`)
}

/** @param wanted the message of the refusal */
export async function refusedWith(till: OptionsFixture, life: PaymentCase, wanted: string): Promise<void> {
  const { option, currency, amountMinor } = life
  const serial = till.serial()
  const reference = till.reference(serial)
  const answer = await send(till, life, bodyOf(life, reference, accountOf(option, serial, '001')))
  if (answer.status !== 400) till.spoiled.add(option.currency)
  const isRight = answer.status === 400 && answer.message === wanted
  const what = `${nameOf(life)} (${wireOf(amountMinor, currency)} ${currency}) was answered ${reported(answer)}, not 400 "${wanted}"`
  till.hold(aboutOf(life), life.what, !isRight && what, nameOf(life), [answer.request], { names: [reference] })
}
