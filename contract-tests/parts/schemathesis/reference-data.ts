import type { ApiCall } from './api-caller.ts'

export interface LiveProvider {
  readonly provider_code: string
  readonly transaction_method: string
  readonly transaction_currency: string
  readonly min_amount: number
  readonly max_amount: number
  readonly is_active: boolean
  readonly option_prefixes?: readonly string[]
}

/** Lookups of a running gateway: all that the fuzz profile knows of its business rules. */
export interface ReferenceData {
  readonly collection: readonly LiveProvider[]
  readonly payout: readonly LiveProvider[]
  /** Bank codes by provider code, for payouts to banks. */
  readonly banks: ReadonlyMap<string, readonly string[]>
}

export async function readReferenceData(request: ApiCall): Promise<ReferenceData> {
  const { merchant_wallets } = await request<{ merchant_wallets: { currency: string }[] }>(
    'GET',
    '/data/wallet-balances',
  )
  const currencies = [...new Set(merchant_wallets.map(({ currency }) => currency))]
  const providers = async (type: string) =>
    (
      await Promise.all(
        currencies.map((currency) =>
          request<{ payment_providers: LiveProvider[] }>(
            'GET',
            `/data/payment-providers?currency=${currency}&transaction_type=${type}`,
          ),
        ),
      )
    ).flatMap(({ payment_providers }) => payment_providers.filter(({ is_active }) => is_active))
  const [collection, payout] = [await providers('COLLECTION'), await providers('PAYOUT')]
  const banks = await Promise.all(
    payout
      .filter(({ transaction_method }) => transaction_method === 'BANK')
      .map(async ({ provider_code }): Promise<[string, string[]]> => {
        const { payout_banks } = await request<{ payout_banks: { bank_code: string; is_active: boolean }[] }>(
          'GET',
          `/data/payout-bank-codes?provider_code=${provider_code}`,
        )
        return [provider_code, payout_banks.filter(({ is_active }) => is_active).map(({ bank_code }) => bank_code)]
      }),
  )
  return { collection, payout, banks: new Map(banks) }
}
