import type { ExchangeRate } from '../../domain/exchange.ts'
import type { TransactionMethod } from '../../domain/provider.ts'

/**
 * A provider of the sandbox. Amounts are in major units, as people write them; the charges are plausible, not those of
 * any operator.
 */
export interface SandboxProvider {
  readonly code: string
  readonly name: string
  readonly method: TransactionMethod
  readonly currency: string
  readonly callingCode: string
  readonly prefixes: readonly string[]
  readonly min: number
  readonly max: number
  readonly daily: number
  readonly collectionChargeBps: number
  readonly payoutChargeBps: number
  /** On top of the percentage; undefined for none. */
  readonly collectionChargeFlat?: number
  readonly payoutChargeFlat?: number
  readonly requiresOtp?: true
  /** What the demo merchant can pay out in this currency: enough for an afternoon of trying payouts. */
  readonly demoBalance: number
  /** Code and name of each bank that payouts can go to. */
  readonly banks?: readonly (readonly [code: string, name: string])[]
}

const mobileMoney = { method: 'MOBILE_MONEY', collectionChargeBps: 100, payoutChargeBps: 50 } as const
const bank = { method: 'BANK', callingCode: '', prefixes: [], collectionChargeBps: 150, payoutChargeBps: 100 } as const

const uganda = {
  ...mobileMoney,
  currency: 'UGX',
  callingCode: '256',
  min: 500,
  max: 3_000_000,
  daily: 7_000_000,
  demoBalance: 50_000_000,
}
const kenya = {
  ...mobileMoney,
  currency: 'KES',
  callingCode: '254',
  min: 10,
  max: 250_000,
  daily: 500_000,
  demoBalance: 2_000_000,
}
const tanzania = {
  ...mobileMoney,
  currency: 'TZS',
  callingCode: '255',
  min: 1_000,
  max: 5_000_000,
  daily: 10_000_000,
  demoBalance: 40_000_000,
}
const rwanda = {
  ...mobileMoney,
  currency: 'RWF',
  callingCode: '250',
  min: 100,
  max: 2_000_000,
  daily: 4_000_000,
  demoBalance: 20_000_000,
}
const ghana = {
  ...mobileMoney,
  currency: 'GHS',
  callingCode: '233',
  min: 1,
  max: 10_000,
  daily: 15_000,
  demoBalance: 200_000,
  requiresOtp: true,
} as const
const zambia = {
  ...mobileMoney,
  currency: 'ZMW',
  callingCode: '260',
  min: 1,
  max: 20_000,
  daily: 50_000,
  demoBalance: 400_000,
}

/** Single prefixes and ranges: `79 740-743`. */
const ranges = (text: string): string[] =>
  text.split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-')
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index))
  })

export const SANDBOX_PROVIDERS: readonly SandboxProvider[] = [
  { ...uganda, code: 'mtn_ug', name: 'MTN Uganda', prefixes: ['77', '78', '76', '39'] },
  { ...uganda, code: 'airtel_ug', name: 'Airtel Uganda', prefixes: ['74', '75', '70'] },
  {
    ...kenya,
    code: 'mpesa_ke',
    name: 'M-Pesa Kenya',
    prefixes: ranges('70-72 79 740-743 745-746 748-749 757-759 768-769 11 18 140-146'),
  },
  {
    ...kenya,
    code: 'airtel_ke',
    name: 'Airtel Kenya',
    prefixes: ranges('73 78 750-756 760 762-767 100-108 135-139'),
  },
  { ...tanzania, code: 'vodacom_tz', name: 'Vodacom Tanzania', prefixes: ['74', '75', '76'] },
  { ...tanzania, code: 'tigopesa_tz', name: 'Tigo Pesa Tanzania', prefixes: ['65', '67', '71', '77'] },
  { ...tanzania, code: 'airtel_tz', name: 'Airtel Tanzania', prefixes: ['68', '69', '78'] },
  { ...rwanda, code: 'mtn_rw', name: 'MTN Rwanda', prefixes: ['78', '79'] },
  { ...rwanda, code: 'airtel_rw', name: 'Airtel Rwanda', prefixes: ['72', '73'] },
  { ...ghana, code: 'mtn_gh', name: 'MTN Ghana', prefixes: ['24', '53', '54', '55', '59'] },
  { ...ghana, code: 'airtel_gh', name: 'AirtelTigo Ghana', prefixes: ['26', '27', '56', '57'] },
  { ...zambia, code: 'mtn_zm', name: 'MTN Zambia', prefixes: ['96', '76'] },
  { ...zambia, code: 'airtel_zm', name: 'Airtel Zambia', prefixes: ['97', '77'] },
  {
    ...bank,
    code: 'bank_ng',
    name: 'Nigerian Banks',
    currency: 'NGN',
    min: 1_000,
    max: 380_000,
    daily: 2_000_000,
    demoBalance: 20_000_000,
    banks: [
      ['access_bank_ng', 'Access Bank'],
      ['ecobank_ng', 'Ecobank Nigeria'],
      ['fcmb_ng', 'First City Monument Bank'],
      ['fidelity_bank_ng', 'Fidelity Bank'],
      ['first_bank_ng', 'First Bank of Nigeria'],
      ['gtbank_ng', 'Guaranty Trust Bank'],
      ['stanbic_ibtc_ng', 'Stanbic IBTC Bank'],
      ['sterling_bank_ng', 'Sterling Bank'],
      ['uba_ng', 'United Bank for Africa'],
      ['union_bank_ng', 'Union Bank of Nigeria'],
      ['wema_bank_ng', 'Wema Bank'],
      ['zenith_bank_ng', 'Zenith Bank'],
    ],
  },
  {
    ...bank,
    code: 'bank_ke',
    name: 'Kenyan Banks',
    currency: kenya.currency,
    min: kenya.min,
    max: kenya.max,
    daily: kenya.daily,
    demoBalance: kenya.demoBalance,
    banks: [
      ['absa_ke', 'Absa Bank Kenya'],
      ['coop_bank_ke', 'Co-operative Bank of Kenya'],
      ['equity_bank_ke', 'Equity Bank Kenya'],
      ['im_bank_ke', 'I&M Bank'],
      ['kcb_ke', 'KCB Bank Kenya'],
      ['ncba_ke', 'NCBA Bank Kenya'],
      ['stanbic_ke', 'Stanbic Bank Kenya'],
    ],
  },
  {
    ...bank,
    code: 'bank_za',
    name: 'South African Banks',
    currency: 'ZAR',
    min: 10,
    max: 100_000,
    daily: 250_000,
    demoBalance: 300_000,
    collectionChargeFlat: 1.5,
    payoutChargeFlat: 2.5,
    banks: [
      ['absa_za', 'Absa Bank'],
      ['african_bank_za', 'African Bank'],
      ['bidvest_bank_za', 'Bidvest Bank'],
      ['capitec_za', 'Capitec Bank'],
      ['discovery_bank_za', 'Discovery Bank'],
      ['fnb_za', 'First National Bank'],
      ['investec_za', 'Investec Bank'],
      ['nedbank_za', 'Nedbank'],
      ['standard_bank_za', 'Standard Bank'],
      ['tymebank_za', 'TymeBank'],
    ],
  },
]

/** Exchange rates that exist from the first start: a request in another currency can be tried at once. */
export const SANDBOX_RATES = [{ from: 'USD', to: 'TZS', rate: '2650.75' }] as const satisfies readonly ExchangeRate[]

/** The merchant that exists from the first start. Its keys are public: live mode rejects them. */
export const DEMO_MERCHANT = {
  name: 'Duka la Mfano',
  keys: {
    publicKey: 'pub_sandbox_demo',
    secretKey: 'sec_sandbox_demo',
    signingKey: 'SANDBOXDEMOSIGNKEY01',
    webhookSecret: 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==',
  },
} as const

/** The payout wallets of the demo merchant, by currency, in its major units. */
export const demoBalances = (providers: readonly SandboxProvider[]): ReadonlyMap<string, number> =>
  new Map(providers.map(({ currency, demoBalance }) => [currency, demoBalance]))
