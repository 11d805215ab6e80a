import { present } from '../../domain/present.ts'
import { CURRENCY } from './staff.ts'

/** A payment that the merchant requests, under a number of its own. */
export interface Payment {
  readonly reference: string
  readonly path: '/collections/initialize' | '/payout/send-funds'
  readonly body: Readonly<Record<string, unknown>>
  /** Whether its customer types an OTP. */
  readonly requiresOtp: boolean
}

/** What a payout of the drill takes from its wallet: amount and charge. */
export const PAYOUT = { amount: 1000, total: 1005 } as const

// Account endings in rotation: completed, failed, unreachable at first, reported three times, failed and then completed
// late.
const ENDINGS = ['123', '002', '008', '009', '007'] as const

const body = (reference: string) => ({
  transaction_method: 'MOBILE_MONEY',
  merchant_reference: reference,
  description: 'The fault drill',
})
const account = (prefix: string, n: number, ending: string): string =>
  `${prefix}${String(n % 10_000).padStart(4, '0')}${ending}`
const inUganda = { provider_code: 'mtn_ug', currency: CURRENCY, amount: PAYOUT.amount }

/** A payout of UGX from the demo merchant's wallet, to an account number with that ending. */
export const payout = (reference: string, n: number, ending: string): Payment => ({
  reference,
  path: '/payout/send-funds',
  requiresOtp: false,
  body: { ...body(reference), ...inUganda, account_number: account('25677', n, ending), customer_name: 'Amina Nakato' },
})
const collection = (reference: string, n: number, ending: string): Payment => ({
  reference,
  path: '/collections/initialize',
  requiresOtp: false,
  body: { ...body(reference), ...inUganda, msisdn: account('25677', n, ending), allow_final_status_change: true },
})
const collectionWithOtp = (reference: string, n: number, ending: string): Payment => ({
  reference,
  path: '/collections/initialize',
  requiresOtp: true,
  body: {
    ...body(reference),
    provider_code: 'mtn_gh',
    currency: 'GHS',
    amount: 10,
    msisdn: account('23324', n, ending),
    allow_final_status_change: true,
  },
})

/** The sandbox's account number endings in rotation. */
export const endingOf = (n: number): string => present(ENDINGS[n % ENDINGS.length], 'an ending')

/** Every third is a payout; every seventh of the others waits for an OTP. */
export function paymentNumber(n: number): Payment {
  const reference = `DRILL-${String(n).padStart(6, '0')}`
  const ending = endingOf(n)
  if (n % 3 === 0) return payout(reference, n, ending)
  return n % 7 === 1 ? collectionWithOtp(reference, n, ending) : collection(reference, n, ending)
}
