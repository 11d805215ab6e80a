import type { Fields } from '../../harness/json.ts'
import { minorOf } from '../money/minor-units.ts'

/** The total that follows from amount, charge and status (page "Money"), in minor units; its name. */
export function totalOf(fields: Fields): readonly [name: string, wanted: bigint | undefined] {
  const { transaction_type: type, transaction_status: status, transaction_currency: currency } = fields
  const [amount, charge] = [minorOf(fields.transaction_amount, currency), minorOf(fields.transaction_charge, currency)]
  const name = type === 'COLLECTION' ? 'total_credit' : 'total_debit'
  if (type === 'REFUND') return [name, refundTotalOf(fields, amount)]
  if (amount === undefined || charge === undefined) return [name, undefined]
  if (status === 'FAILED' || status === 'CANCELLED') return [name, 0n]
  if (type === 'PAYOUT') return [name, amount + charge]
  if (fields.charge_customer === true) return [name, amount]
  return [name, charge > amount ? 0n : amount - charge]
}

/** Undefined when a part of the charge goes back: who bears it, the record of the refund does not say. */
function refundTotalOf({ transaction_status: status, charge_refunded: share }: Fields, amount: bigint | undefined) {
  if (status === 'FAILED') return 0n
  return share === 0 ? amount : undefined
}
