import { present } from '../../domain/present.ts'
import { fraction, type Random } from '../../domain/references.ts'
import { SANDBOX_PROVIDERS } from './providers.ts'

/** A payment that the demo merchant has made before the first start of its sandbox. */
export interface PastPayment {
  readonly at: Date
  readonly type: 'COLLECTION' | 'PAYOUT'
  readonly providerCode: string
  readonly account: string
  /** In major units of the provider's currency. */
  readonly amount: number
  readonly merchantReference: string
  readonly customerName: string
  readonly description: string
  readonly bankCode?: string
  /** The customer got a link, and has not opened it. */
  readonly onPaymentPage?: true
}

/** The demo merchant's past, the oldest payment first. */
export interface DemoPast {
  readonly from: Date
  readonly payments: readonly PastPayment[]
  /** When the merchant's server begins to fail: callbacks from then on wait for their next attempt. */
  readonly outageFrom: Date
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DAYS = 30
const OUTAGE_MINUTES = 12

/** The prices of a provider's customers in major units, and their steps. */
const PRICES: Readonly<Record<string, readonly [from: number, to: number, step: number]>> = {
  mtn_ug: [8_000, 240_000, 500],
  airtel_ug: [8_000, 180_000, 500],
  mpesa_ke: [250, 9_800, 10],
  vodacom_tz: [6_000, 190_000, 500],
  mtn_rw: [2_500, 90_000, 100],
  mtn_zm: [40, 1_900, 5],
  bank_ng: [50_000, 700_000, 500],
  bank_za: [900, 28_000, 50],
}
/** How often a provider's turn comes. */
const TURNS = ['mtn_ug', 'mpesa_ke', 'mtn_ug', 'vodacom_tz', 'mpesa_ke', 'airtel_ug', 'mtn_rw', 'mtn_ug', 'mtn_zm']
/** The riders who are paid once a week. */
const RIDERS = ['mtn_ug', 'mtn_ug', 'mpesa_ke', 'mtn_rw', 'vodacom_tz']
const PAYDAYS = [4, 11, 18, 25]
/** Orders of each day of a week: of the market days. */
const ORDERS = [8, 0, 0, 0, 8, 0, 0]
/** Which orders of the month do not simply complete, by the test number that their account ends in. */
const ENDINGS: Readonly<Record<number, string>> = {
  4: '002',
  9: '004',
  17: '003',
  22: '002',
  28: '008',
  33: '007',
  39: '004',
  46: '009',
  51: '002',
  58: '003',
  63: '456',
  67: '004',
}
const NAMES = [
  'Sarah Namutebi',
  'Brian Ochieng',
  'Zawadi Kimaro',
  'Eric Habimana',
  'Mutale Banda',
  'Faith Achieng',
  'Moses Ssali',
  'Halima Juma',
  'Claudine Ingabire',
  'Chanda Mwale',
]
const GOODS = ['Sugar and rice', 'School shoes', 'Solar lamp', 'Cooking oil', 'Phone credit', 'Maize flour', 'Kitenge']

/**
 * A month of about a hundred payments in several countries with every kind of ending, and a last hour with what is
 * still open: the same for the same random source, moved to now.
 */
export function paymentsOfPast(now: Date, random: Random): DemoPast {
  const made = paymentMaker(random)
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const ago = (minutes: number): Date => new Date(now.getTime() - minutes * MINUTE_MS)
  const month = Array.from({ length: DAYS }, (_, day): PastPayment[] => {
    // What a day brings comes close together: it shares its commits, which the first start pays for.
    let at = midnight - (DAYS - day) * DAY_MS + made.between(6 * 60, 17 * 60) * MINUTE_MS
    return [...made.ordersOf(day), ...made.payoutsOf(day)].map((payment) => ({
      ...payment,
      at: new Date((at += made.between(1_200, 4_400))),
    }))
  })
  return {
    from: new Date(midnight - DAYS * DAY_MS),
    payments: [...month.flat(), ...lastHour(made, ago)],
    outageFrom: ago(OUTAGE_MINUTES),
  }
}

const lastHour = (
  { order, payout }: ReturnType<typeof paymentMaker>,
  ago: (minutes: number) => Date,
): PastPayment[] => [
  { at: ago(35), ...order('mtn_ug', '006') },
  { at: ago(35), ...order('mpesa_ke') },
  { at: ago(35), ...payout('airtel_ug', 'Refund of order 1101', '003') },
  { at: ago(22), ...order('mtn_rw', '004') },
  { at: ago(22), ...order('vodacom_tz') },
  { at: ago(OUTAGE_MINUTES - 1), ...order('mtn_ug'), onPaymentPage: true },
  { at: ago(OUTAGE_MINUTES - 1), ...order('mtn_ug') },
  { at: ago(4), ...order('mpesa_ke', '002') },
  { at: ago(2), ...order('airtel_ug', '006') },
]

function paymentMaker(random: Random) {
  const { between, pick, paidBy } = chances(random)
  let orders = 1040
  const order = (providerCode: string, ending?: string) => ({
    ...paidBy(providerCode, ending),
    type: 'COLLECTION' as const,
    merchantReference: `DUKA-${(orders += 1)}`,
    description: `${pick(GOODS)}, order ${orders}`,
  })
  let payouts = 210
  const payout = (providerCode: string, description: string, ending?: string) => ({
    ...paidBy(providerCode, ending, 0.5),
    type: 'PAYOUT' as const,
    merchantReference: `DUKA-PAY-${(payouts += 1)}`,
    description,
  })
  const toSupplier = (providerCode: string, bankCode: string) => ({
    ...payout(providerCode, 'Wholesale goods'),
    account: `${between(1_000_000, 9_999_999)}001`,
    customerName: 'Soko Wholesale Ltd',
    bankCode,
  })
  const toRiders = (week: number) =>
    RIDERS.map((providerCode, n) =>
      payout(
        providerCode,
        `Deliveries of week ${week + 1}`,
        n === week ? ['001', '002', '004', '001'][week] : undefined,
      ),
    )
  let nth = 0
  return {
    between,
    order,
    payout,
    ordersOf: (day: number) =>
      Array.from({ length: ORDERS[day % ORDERS.length] ?? 0 }, () =>
        order(present(TURNS[nth % TURNS.length], 'a provider'), ENDINGS[nth++]),
      ),
    payoutsOf(day: number) {
      const week = PAYDAYS.indexOf(day)
      if (week !== -1) return toRiders(week)
      if (day === 7) return [toSupplier('bank_ng', 'gtbank_ng')]
      if (day === 14) return [payout('mpesa_ke', 'Refund of order 1046')]
      if (day === 21) return [payout('mtn_ug', 'Refund of order 1061')]
      if (day === 0) return [toSupplier('bank_ng', 'zenith_bank_ng')]
      return day === 28 ? [toSupplier('bank_za', 'capitec_za')] : []
    },
  }
}

function chances(random: Random) {
  const between = (from: number, to: number): number => from + Math.floor(fraction(random) * (to - from + 1))
  const pick = (texts: readonly string[]): string => present(texts[between(0, texts.length - 1)], 'a text')
  return {
    between,
    pick,
    /** @param part of the price, for payouts */
    paidBy(providerCode: string, ending = String(between(101, 122)), part = 1) {
      const provider = present(
        SANDBOX_PROVIDERS.find(({ code }) => code === providerCode),
        providerCode,
      )
      const [from, to, step] = present(PRICES[providerCode], `the prices of ${providerCode}`)
      const prefix = provider.prefixes.find(({ length }) => length === 2) ?? ''
      return {
        providerCode,
        account: `${provider.callingCode}${prefix}${between(1000, 9999)}${ending}`,
        amount: from + Math.floor((fraction(random) * part * (to - from)) / step) * step,
        customerName: pick(NAMES),
      }
    },
  }
}
