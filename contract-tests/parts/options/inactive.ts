import type { Bank } from './lists.ts'
import { refusedWith } from './limits.ts'
import { paymentsOf } from './payment-cases.ts'
import type { Option } from './listed-options.ts'
import { forEachOf, type OptionsFixture } from './fixture.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/** An inactive option is refused, with the message of the page "Errors". @returns the number of requests */
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
  await forEachOf(requested, async ({ option, message: reported, banks: own }) => {
    const [paymentCase] = paymentsOf(option, own, 0)
    if (paymentCase) await refusedWith(fixture, { ...paymentCase, what: 'that is listed as inactive' }, reported)
  })
  return requested.length
}
