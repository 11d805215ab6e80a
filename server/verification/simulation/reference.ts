import type { ReferenceData } from '../../actions/ports/reference-data.ts'
import type { AccountBounds } from '../../domain/account-bounds.ts'
import { optionKey, type Merchant } from '../../domain/merchant.ts'
import { present } from '../../domain/present.ts'
import type { PaymentOption, TransactionType } from '../../domain/provider.ts'
import type { Market } from './market.ts'

export const PHONE_PROVIDER = 'mtn_ug'
export const OTP_PROVIDER = 'otp_ug'
export const BANK_PROVIDER = 'bank_ug'
export const BANK_CODE = 'a_bank'
/** In the units that merchants use. */
export const DAILY_LIMIT = 6_000n
/** Low limits, so that schedules reach them. */
export const ACCOUNT_BOUNDS: AccountBounds = {
  otpSendsMax: 4,
  otpWrongTriesMax: 3,
  openPagesMax: 20,
  promptsPerHourMax: 3,
  promptsPerDayMax: 4,
  promptDeclinesMax: 3,
  promptCoolDownMs: 10 * 60_000,
  merchantShare: 75,
}
export const DAILY_LIMIT_SHARE = 90

const optionIn = (
  { currency, unitMinor, callingCode, prefix, amountStepMinor }: Market,
  providerCode: string,
  type: TransactionType,
  more: Partial<PaymentOption> = {},
): PaymentOption => ({
  providerCode,
  providerName: providerCode,
  method: 'MOBILE_MONEY',
  type,
  currency,
  minAmountMinor: 100n * unitMinor,
  maxAmountMinor: 5_000n * unitMinor,
  maxDailyAmountMinor: DAILY_LIMIT * unitMinor,
  isActive: true,
  hasRail: true,
  callingCode,
  prefixes: [prefix],
  prefixRule: 'strict',
  requiresOtp: false,
  clearingDelaySeconds: 0,
  reserveBps: 0,
  reserveSeconds: 0,
  chargeBps: 100,
  chargeFlatMinor: unitMinor,
  ...(amountStepMinor !== undefined && { amountStepMinor }),
  ...more,
})

const optionsIn = (market: Market): readonly PaymentOption[] => [
  optionIn(market, PHONE_PROVIDER, 'COLLECTION', { refundsCharge: true, railAccount: market.railAccount }),
  optionIn(market, PHONE_PROVIDER, 'PAYOUT'),
  optionIn(market, OTP_PROVIDER, 'COLLECTION', { requiresOtp: true, chargeBps: 200 }),
  optionIn(market, BANK_PROVIDER, 'COLLECTION', {
    method: 'BANK',
    callingCode: '',
    prefixes: [],
    clearingDelaySeconds: 3_600,
    reserveBps: 1_000,
    reserveSeconds: 7_200,
  }),
]

/** Two merchants and three providers, which a schedule may change while payments are in progress. */
export class SimulatedReference implements ReferenceData {
  readonly market: Market
  private readonly optionsByKey: Map<string, PaymentOption>
  private readonly merchants: Map<bigint, Merchant>

  constructor(market: Market) {
    this.market = market
    this.optionsByKey = new Map(optionsIn(market).map((one) => [optionKey(one.providerCode, one.type), one]))
    this.merchants = new Map(
      [1n, 2n].map((id): [bigint, Merchant] => [
        id,
        {
          id,
          name: `Shop ${id}`,
          publicKey: `pub_${id}`,
          secretKeyDigests: [],
          enabledOptions: new Set(this.optionsByKey.keys()),
          collectionCallbackUrl: `https://shop-${id}.example/`,
          payoutCallbackUrl: `https://shop-${id}.example/`,
          refundCallbackUrl: `https://shop-${id}.example/`,
          refundsByPayout: id === 1n,
          pageRetries: id === 2n,
          batchHandshake: id === 2n,
          verificationUrl: `https://shop-${id}.example/verify`,
        },
      ]),
    )
  }

  merchantByPublicKey = async (publicKey: string): Promise<Merchant | undefined> =>
    [...this.merchants.values()].find((merchant) => merchant.publicKey === publicKey)
  isKnownKey = (): boolean => true
  merchant = (id: bigint): Merchant => present(this.merchants.get(id), 'a merchant')
  merchantById = async (id: bigint): Promise<Merchant | undefined> => this.merchants.get(id)
  option = (providerCode: string, type: TransactionType): PaymentOption | undefined =>
    this.optionsByKey.get(optionKey(providerCode, type))
  options = (currency: string, type: TransactionType): PaymentOption[] =>
    [...this.optionsByKey.values()].filter((one) => one.currency === currency && one.type === type)
  banks = (providerCode: string) =>
    providerCode === BANK_PROVIDER ? [{ providerCode, bankCode: BANK_CODE, bankName: 'A Bank', isActive: true }] : []
  rate = (): undefined => undefined
  callbackSecrets = async () => ({ signingKeys: ['K'], webhookSecrets: ['whsec_'] })
  rsaSigningKey = () => ({ id: '0', privatePem: '' })

  /**
   * The reference data of one process: a merchant not requested yet, or changed since, costs a lookup, which is a
   * scheduled step and may fail.
   */
  keptBy(lookUp: (id: bigint) => Promise<void>): ReferenceData {
    const kept = new Set<Merchant>()
    return {
      ...this,
      merchantById: async (id) => {
        const known = this.merchants.get(id)
        if (known && kept.has(known)) return known
        await lookUp(id)
        const found = this.merchants.get(id)
        if (found) kept.add(found)
        return found
      },
    }
  }

  changeOption(providerCode: string, type: TransactionType, change: Partial<PaymentOption>): void {
    this.optionsByKey.set(optionKey(providerCode, type), {
      ...present(this.option(providerCode, type), 'a payment option'),
      ...change,
    })
  }

  all = (): Merchant[] => [...this.merchants.values()]

  setMerchant(merchant: Merchant): void {
    this.merchants.set(merchant.id, merchant)
  }
}
