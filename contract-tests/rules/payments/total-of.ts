import type { Fields } from '../../harness/json.ts'

/** The total that follows from amount, charge and status (page "Money"), in ten-thousandths; its name. */
export function totalOf(fields: Fields): readonly [name: string, wanted: bigint | undefined] {
  const { transaction_type: type, transaction_status: status } = fields
  const [amount, charge] = [tenThousandths(fields.transaction_amount), tenThousandths(fields.transaction_charge)]
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

/** Exactly: no currency has more than four decimals. Undefined for anything else. */
export function tenThousandths(value: unknown): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,4}))?$/.exec(typeof value === 'number' ? String(value) : '') ?? []
  return whole === undefined ? undefined : BigInt(whole + decimals.padEnd(4, '0'))
}
