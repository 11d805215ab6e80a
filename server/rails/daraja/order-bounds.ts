import type { RailAnswer, RailOrder } from '../../actions/ports/rail.ts'
import { wholeShillings } from './whole-shillings.ts'

/** The values of an order to send, or why it must not be sent. */
type OrderCheck =
  | { readonly shillings: number; readonly msisdn: string }
  | { readonly refusal: Extract<RailAnswer, { answer: 'refused' }> }

/** Refuses what M-PESA could not accept before anything is sent. */
export function sendableOf({ amount, account }: RailOrder): OrderCheck {
  const shillings = wholeShillings(amount)
  if (shillings === undefined) return refusal('not_allowed', 'M-PESA moves whole Kenyan shillings only')
  if (!isMsisdn(account)) return refusal('account_not_found', 'M-PESA has no account of that number')
  return { shillings, msisdn: account }
}

const refusal = (code: 'not_allowed' | 'account_not_found', reason: string): OrderCheck => ({
  refusal: { answer: 'refused', reason, code },
})

/** `Msisdn` of the contract: with the country code, digits only. */
const isMsisdn = (account: string): boolean => /^[0-9]{12}$/.test(account)
