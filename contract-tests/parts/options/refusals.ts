import { refusal } from '../../../server/verification/testing/refusal.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { wireOf } from '../../driver/money.ts'
import { operationOf, type Bank } from '../../driver/provider-options.ts'
import type { PaidOption } from './lists.ts'
import { paymentCase, type PaymentCase } from './payment-cases.ts'
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

const unconverted = (option: PaidOption, minor: bigint, what: string, bank?: Bank): PaymentCase =>
  paymentCase(option, option.currency, minor, minor, what, { bank })

/** One minor unit beyond each limit. */
export const beyondLimits = (options: readonly PaidOption[]): readonly RefusedCase[] =>
  options.flatMap((option) => [
    // An amount of zero is another fault.
    ...(option.minMinor > 1n
      ? [beyond(unconverted(option, option.minMinor - 1n, 'one unit below the smallest amount'))]
      : []),
    beyond(unconverted(option, option.maxMinor + 1n, 'one unit above the largest amount')),
  ])

/** An inactive option, an inactive bank, and a bank that only another provider lists. */
export function inactive(options: readonly PaidOption[]): readonly RefusedCase[] {
  const what = 'that is listed as inactive'
  return options.flatMap((option): readonly RefusedCase[] => {
    const { code, type, banks, minMinor } = option
    if (!option.isActive)
      return [[unconverted(option, minMinor, what), refusal('provider_inactive', { airtel_ug: code })]]
    if (type !== 'PAYOUT' || banks.length === 0) return []
    const other = options
      .flatMap((each) => each.banks)
      .find((bank) => bank.isActive && !banks.some((own) => own.code === bank.code))
    const elsewhere = 'to a bank that only another provider lists'
    return [
      ...banks
        .filter(({ isActive }) => !isActive)
        .map((bank): RefusedCase => [
          unconverted(option, minMinor, what, bank),
          refusal('bank_inactive', { access_bank_ng: bank.code }),
        ]),
      ...(other
        ? [
            [
              unconverted(option, minMinor, elsewhere, other),
              refusal('bank_unknown', { no_such_bank: other.code }),
            ] as const,
          ]
        : []),
    ]
  })
}
