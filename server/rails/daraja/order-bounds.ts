import type { RailAnswer, RailOrder } from '../../actions/ports/rail.ts'
import { wholeShillings } from './whole-shillings.ts'

interface OrderRefusal {
  readonly refusal: Extract<RailAnswer, { answer: 'refused' }>
}
/** The values of an order to send, or why it must not be sent. */
type OrderCheck = { readonly shillings: number; readonly msisdn: string } | OrderRefusal

const NO_CENTS = 'M-PESA moves whole Kenyan shillings only'

/** Refuses what M-PESA could not accept before anything is sent. An account at a bank may look like a number. */
export function sendableOf({ amount, account, bankCode }: RailOrder): OrderCheck {
  const shillings = wholeShillings(amount)
  if (shillings === undefined) return refusal('not_allowed', NO_CENTS)
  if (bankCode !== undefined) return refusal('not_allowed', 'This rail account pays to phones, not to banks')
  if (!isMsisdn(account)) return refusal('account_not_found', 'M-PESA has no account of that number')
  return { shillings, msisdn: account }
}

/** The same for an order to an account at a bank, which has a pay bill number. */
export function sendableToBank(
  { amount, account, bankCode }: RailOrder,
  payBills: ReadonlyMap<string, string>,
): { readonly shillings: number; readonly payBill: string; readonly reference: string } | OrderRefusal {
  const shillings = wholeShillings(amount)
  if (shillings === undefined) return refusal('not_allowed', NO_CENTS)
  const payBill = bankCode === undefined ? undefined : payBills.get(bankCode)
  if (payBill === undefined) return refusal('not_allowed', 'M-PESA does not pay to this bank here')
  if (!/^[A-Za-z0-9]{1,13}$/.test(account))
    return refusal('account_not_found', 'The number is longer than an account number that M-PESA takes for a bank')
  return { shillings, payBill, reference: account }
}

const refusal = (code: 'not_allowed' | 'account_not_found', reason: string): OrderRefusal => ({
  refusal: { answer: 'refused', reason, code },
})

/** `Msisdn` of the contract: with the country code, digits only. */
const isMsisdn = (account: string): boolean => /^[0-9]{12}$/.test(account)
