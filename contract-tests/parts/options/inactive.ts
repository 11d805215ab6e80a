import type { Bank } from './lists.ts'
import { refusedWith } from './limits.ts'
import { paymentsOf } from './payment-cases.ts'
import type { Option } from './listed-options.ts'
import { forEachOf, type OptionsFixture } from './fixture.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/**
 * An inactive option is refused, and a bank that only another provider lists, with the messages of the page "Errors".
 * @returns the number of requests
 */
export async function inactiveRefused(
  fixture: OptionsFixture,
  options: readonly Option[],
  banks: readonly Bank[],
): Promise<number> {
  const [ofProviders, ofBanks] = [
    options.filter(({ isActive }) => !isActive),
    banks.filter(({ isActive }) => !isActive),
  ]
  const requested = [
    ...ofProviders.map((option) => ({
      option,
      message: refusal('provider_inactive', { airtel_ug: option.code }),
      banks,
    })),
    ...ofBanks.flatMap((bank) => {
      const option = options.find(({ code, type, isActive }) => code === bank.provider && type === 'PAYOUT' && isActive)
      const reported = refusal('bank_inactive', { access_bank_ng: bank.code })
      return option ? [{ option, message: reported, banks: [{ ...bank, isActive: true }] }] : []
    }),
  ]
  const ofOthers = options.flatMap((option) => {
    const isOwn = ({ provider }: Bank): boolean => provider === option.code
    const codes = new Set(banks.filter(isOwn).map(({ code }) => code))
    const other = banks.find((bank) => bank.isActive && !codes.has(bank.code))
    if (option.type !== 'PAYOUT' || !option.isActive || codes.size === 0 || !other) return []
    const message = refusal('bank_unknown', { no_such_bank: other.code })
    return [{ option, message, banks: [{ ...other, provider: option.code }] }]
  })
  for (const [what, cases] of [
    ['that is listed as inactive', requested],
    ['to a bank that only another provider lists', ofOthers],
  ] as const)
    await forEachOf(cases, async ({ option, message: reported, banks: own }) => {
      const [paymentCase] = paymentsOf(option, own, 0)
      if (paymentCase) await refusedWith(fixture, { ...paymentCase, what }, reported)
    })
  return requested.length + ofOthers.length
}
