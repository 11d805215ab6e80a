import type { Malipo } from '../../../client/index.ts'
import { minorOf, type PaidCurrency } from '../../driver/money.ts'

/** A payment option that the model can use; its limits come from the server. */
export interface PaymentOption {
  readonly providerCode: string
  readonly currency: PaidCurrency
  /** Prefix of account numbers: four digits of ours and a test number follow. */
  readonly accountPrefix: string
  readonly bankCode?: string
  readonly asksForOtp?: true
}

export const WAYS = {
  mtnUganda: { providerCode: 'mtn_ug', currency: 'UGX', accountPrefix: '25677' },
  mpesaKenya: { providerCode: 'mpesa_ke', currency: 'KES', accountPrefix: '25470' },
  mtnGhana: { providerCode: 'mtn_gh', currency: 'GHS', accountPrefix: '23324', asksForOtp: true },
  bankNigeria: { providerCode: 'bank_ng', currency: 'NGN', accountPrefix: '012', bankCode: 'access_bank_ng' },
  bankSouthAfrica: { providerCode: 'bank_za', currency: 'ZAR', accountPrefix: '034', bankCode: 'absa_za' },
} as const satisfies Readonly<Record<string, PaymentOption>>

export type TransactionType = 'COLLECTION' | 'PAYOUT'

/** Limits of one provider and direction, in minor units. */
export interface Limits {
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly dailyMinor: bigint
}

export const optionName = (providerCode: string, type: TransactionType): string => `${providerCode} ${type}`

/** The options that the server lists; options that it does not offer are missing. */
export async function readLimits(malipo: Malipo): Promise<ReadonlyMap<string, Limits>> {
  const requested = Object.values(WAYS).flatMap(({ currency, providerCode }) =>
    (['COLLECTION', 'PAYOUT'] as const).map((type) => ({ currency, providerCode, type })),
  )
  const limits = await Promise.all(
    requested.map(async ({ currency, providerCode, type }) => {
      const provider = (await malipo.providers.list({ currency, transaction_type: type })).find(
        ({ provider_code, is_active }) => provider_code === providerCode && is_active,
      )
      const minor = (amount: number) => minorOf(amount, currency) ?? 0n
      if (!provider) return []
      const [minMinor, maxMinor] = [minor(provider.min_amount), minor(provider.max_amount)]
      const dailyMinor = minor(provider.max_daily_amount)
      return [[optionName(providerCode, type), { minMinor, maxMinor, dailyMinor }] as const]
    }),
  )
  return new Map(limits.flat())
}
