import type { Bank } from './lists.ts'
import { refusedWith } from './limits.ts'
import { livesOf } from './lives.ts'
import type { Option } from './offered.ts'
import { forEachOf, type Till } from './till.ts'

/** What is listed as inactive is refused, in the words of the page "Errors". @returns how many requests */
export async function inactiveRefused(till: Till, options: readonly Option[], banks: readonly Bank[]): Promise<number> {
  const [ofProviders, ofBanks] = [
    options.filter(({ isActive }) => !isActive),
    banks.filter(({ isActive }) => !isActive),
  ]
  const asked = [
    ...ofProviders.map((option) => ({ option, told: `Invalid provider code (${option.code}): inactive`, banks })),
    ...ofBanks.flatMap((bank) => {
      const option = options.find(({ code, type, isActive }) => code === bank.provider && type === 'PAYOUT' && isActive)
      const told = `Invalid bank code (${bank.code}): inactive`
      return option ? [{ option, told, banks: [{ ...bank, isActive: true }] }] : []
    }),
  ]
  await forEachOf(asked, async ({ option, told, banks: own }) => {
    const [life] = livesOf(option, own, 0)
    if (life) await refusedWith(till, { ...life, what: 'that is listed as inactive' }, told)
  })
  return asked.length
}
