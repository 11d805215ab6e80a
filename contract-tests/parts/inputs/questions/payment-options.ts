import type { Fields } from '../../../harness/json.ts'
import type { DriverFixture } from '../../../driver/fixture.ts'
import type { Direction } from '../../../driver/provider-options.ts'
import { getRequest, itemsOf, walletsRequest } from '../../../driver/requests.ts'

/** A provider in one direction, as the server lists it. */
export interface PaymentOption {
  readonly code: string
  readonly direction: Direction
  readonly method: string
  readonly currency: string
  /** The least amount that it takes. */
  readonly amount: number
  /** None for banks. */
  readonly prefixes: readonly string[]
  /** Codes of the banks that it pays out to. */
  readonly banks: readonly string[]
}

const DIRECTIONS: readonly Direction[] = ['COLLECTION', 'PAYOUT']

/** All active providers, in the currencies of the merchant's wallets. */
export async function paymentOptions(fixture: DriverFixture): Promise<readonly PaymentOption[]> {
  const { target } = fixture
  const driver = fixture.driver('the providers')
  const wallets = await driver.send(walletsRequest(target))
  const currencies = new Set(itemsOf(wallets.data, 'merchant_wallets').map(({ currency }) => String(currency)))
  const requested = [...currencies].flatMap((currency) => DIRECTIONS.map((direction) => ({ currency, direction })))
  const listed = await Promise.all(
    requested.map(async ({ currency, direction }) => {
      const path = `/data/payment-providers?currency=${currency}&transaction_type=${direction}`
      const { data } = await driver.send(getRequest(target, path))
      return itemsOf(data, 'payment_providers')
        .filter((item) => item['is_active'] === true)
        .map((item) => ({ item, direction }))
    }),
  )
  return Promise.all(
    listed.flat().map(async ({ item, direction }) => {
      const code = String(item['provider_code'])
      const path = `/data/payout-bank-codes?provider_code=${code}`
      const isOfBanks = direction === 'PAYOUT' && item['transaction_method'] === 'BANK'
      const banks = isOfBanks ? itemsOf((await driver.send(getRequest(target, path))).data, 'payout_banks') : []
      return optionOf(item, direction, banks)
    }),
  )
}

const optionOf = (item: Fields, direction: Direction, banks: readonly Fields[]): PaymentOption => ({
  code: String(item['provider_code']),
  direction,
  method: String(item['transaction_method']),
  currency: String(item['transaction_currency']),
  amount: Number(item['min_amount']),
  prefixes: Array.isArray(item['option_prefixes']) ? item['option_prefixes'].map(String) : [],
  banks: banks.filter(({ is_active }) => is_active === true).map(({ bank_code }) => String(bank_code)),
})
