import { refusal } from '../../../server/verification/testing/refusal.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { wireOf } from '../../driver/money.ts'
import { operationOf, type Bank } from '../../driver/provider-options.ts'
import type { PaidOption } from './lists.ts'
import { paymentCase, paymentsOf, type PaymentCase } from './payment-cases.ts'
import { send } from './play.ts'

/** A payment that is refused, and the message that says why. */
export type RefusedCase = readonly [refused: PaymentCase, message: string]

export async function areRefused(fixture: DriverFixture, refused: readonly RefusedCase[]): Promise<void> {
  await forEachOf(refused, async ([refusedCase, message]) => {
    const { driver, reply } = await send(fixture, refusedCase)
    driver.expect(operationOf(refusedCase.option), reply, { status: 400, message }, refusedCase.what, 'page "Errors"')
  })
}

/** An amount outside the limits, which the message names in the provider's currency. */
export function beyond(refused: PaymentCase): RefusedCase {
  const { minMinor, maxMinor, currency } = refused.option
  const [min, max] = [minMinor, maxMinor].map((minor) => String(wireOf(minor, currency)))
  return [refused, refusal('amount_range', { '500': min ?? '', '3000000': max ?? '', UGX: currency })]
}

/** One minor unit beyond each limit. */
export const beyondLimits = (options: readonly PaidOption[], banks: readonly Bank[]): readonly RefusedCase[] =>
  options.flatMap((option) => {
    const bank = banks.find(({ provider, isActive }) => provider === option.code && isActive)
    const of = (what: string, amountMinor: bigint): RefusedCase =>
      beyond(paymentCase(option, option.currency, amountMinor, amountMinor, what, { ...(bank && { bank }) }))
    return [
      // An amount of zero is another fault.
      ...(option.minMinor > 1n ? [of('one unit below the smallest amount', option.minMinor - 1n)] : []),
      of('one unit above the largest amount', option.maxMinor + 1n),
    ]
  })

/** An inactive option, an inactive bank, and a bank that only another provider lists. */
export function inactive(options: readonly PaidOption[], banks: readonly Bank[]): readonly RefusedCase[] {
  const firstOf = (option: PaidOption, own: readonly Bank[], what: string, message: string): RefusedCase[] =>
    paymentsOf(option, own, 0)
      .slice(0, 1)
      .map((first): RefusedCase => [{ ...first, what }, message])
  return options.flatMap((option) => {
    const what = 'that is listed as inactive'
    if (!option.isActive) return firstOf(option, banks, what, refusal('provider_inactive', { airtel_ug: option.code }))
    const own = banks.filter(({ provider }) => provider === option.code)
    if (option.type !== 'PAYOUT' || own.length === 0) return []
    const asActive = (bank: Bank): Bank => ({ ...bank, provider: option.code, isActive: true })
    const other = banks.find((bank) => bank.isActive && !own.some(({ code }) => code === bank.code))
    return [
      ...own
        .filter(({ isActive }) => !isActive)
        .flatMap((bank) =>
          firstOf(option, [asActive(bank)], what, refusal('bank_inactive', { access_bank_ng: bank.code })),
        ),
      ...(other
        ? firstOf(
            option,
            [asActive(other)],
            'to a bank that only another provider lists',
            refusal('bank_unknown', { no_such_bank: other.code }),
          )
        : []),
    ]
  })
}
