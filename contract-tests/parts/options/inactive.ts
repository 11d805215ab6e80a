import type { Bank } from './lists.ts'
import { refusedWith } from './limits.ts'
import { paymentsOf } from './lives.ts'
import type { Option } from './offered.ts'
import { forEachOf, type OptionsFixture } from './till.ts'

/** What is listed as inactive is refused, in the words of the page "Errors". @returns how many requests */
export async function inactiveRefused(
  till: OptionsFixture,
  options: readonly Option[],
  banks: readonly Bank[],
): Promise<number> {
  const [ofProviders, ofBanks] = [
    options.filter(({ isActive }) => !isActive),
    banks.filter(({ isActive }) => !isActive),
  ]
  const requested = [
    ...ofProviders.map((option) => ({ option, told: `Invalid provider code (${option.code}): inactive`, banks })),
    ...ofBanks.flatMap((bank) => {
      const option = options.find(({ code, type, isActive }) => code === bank.provider && type === 'PAYOUT' && isActive)
      const reported = `Invalid bank code (${bank.code}): inactive`
      return option ? [{ option, told: reported, banks: [{ ...bank, isActive: true }] }] : []
    }),
  ]
  await forEachOf(requested, async ({ option, told: reported, banks: own }) => {
    const [life] = paymentsOf(option, own, 0)
    if (life) await refusedWith(till, { ...life, what: 'that is listed as inactive' }, reported)
  })
  return requested.length
}
