import type { ObservedExchange } from '../observed-exchange.ts'
import type { ChargedPayment } from './charge-fit.ts'
import { minorOf, unitOf } from './minor-units.ts'

/** Bound on distinct charges that are remembered of one provider and type. */
const CHARGES_MAX = 500

/** The distinct charges of one provider, type and currency. */
export interface ChargeGroup {
  readonly name: string
  readonly currency: string
  readonly payments: Map<string, ChargedPayment & { readonly isOfCustomer: boolean }>
}

/** Adds the charge of a verify reply to its group; that callbacks equal verify is a rule of its own. */
export function noteCharge(groups: Map<string, ChargeGroup>, seen: ObservedExchange): void {
  if (seen.direction === 'received') return
  const { record } = seen
  const { transaction_currency: currency, transaction_status: status, provider_code: provider } = record
  const amount = minorOf(record.transaction_amount, currency)
  const charge = minorOf(record.transaction_charge, currency)
  if (amount === undefined || charge === undefined || typeof currency !== 'string') return
  if (status === 'FAILED' || status === 'CANCELLED') return // costs nothing
  const name = `${String(provider)} ${String(record.transaction_type)}`
  const key = `${seen.host} ${name} ${currency}`
  const group = groups.get(key) ?? { name, currency, payments: new Map() }
  groups.set(key, group)
  const isOfCustomer = record.charge_customer === true
  const payment = { reference: String(record.merchant_reference), amount, charge, isOfCustomer }
  if (group.payments.size < CHARGES_MAX) group.payments.set(`${amount} ${charge} ${isOfCustomer}`, payment)
}

/**
 * Distinct charges, ready to compare. Where all sums that customers pay are whole main units, the operator may move
 * nothing else, and their charges may be rounded up.
 */
export function comparable({ currency, payments }: ChargeGroup): readonly ChargedPayment[] {
  const unit = unitOf(currency)
  const all = [...payments.values()]
  const isWhole = all.every(({ amount, charge, isOfCustomer }) => !isOfCustomer || (amount + charge) % unit === 0n)
  return all.map((each) => (isWhole && each.isOfCustomer ? { ...each, wholeUnit: unit } : each))
}
