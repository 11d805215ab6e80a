import type { Bank } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ReferenceData } from './ports/reference-data.ts'

/**
 * The banks that a payout through this provider can go to; none for a provider without bank payouts.
 * @throws Refusal `invalid_provider` when no such provider exists
 */
export function listPayoutBanks({ reference }: { reference: ReferenceData }, providerCode: string): readonly Bank[] {
  if (!reference.option(providerCode, 'PAYOUT') && !reference.option(providerCode, 'COLLECTION')) {
    throw new Refusal('invalid_provider', `Invalid provider code (${providerCode})`)
  }
  return reference.banks(providerCode)
}
