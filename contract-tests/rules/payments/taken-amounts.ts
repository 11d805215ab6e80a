import { faultIf, type Fault } from '../observed-exchange.ts'
import { amountsIn } from '../page-text.ts'
import { nameOf, valueIn, type Claim } from './claims.ts'

/** What failed or was cancelled has a charge of 0, whatever it would have cost. */
export const hasCharge = ({ fields: { transaction_status: status, charge_customer: bears } }: Claim): boolean =>
  bears === false || (status !== 'FAILED' && status !== 'CANCELLED')

/** Less than a tenth of the smallest unit of any currency: sums of binary fractions differ by less. */
const SAME = 1e-5

/** Amounts in a text of a payment page that are neither what is taken, nor its charge, nor the price in its currency. */
export function amountFaults(text: string, record: Claim): readonly Fault[] {
  const { transaction_amount: amount, transaction_charge: charge, charge_customer: bears, ...fields } = record.fields
  const { transaction_currency: currency, request_currency: requested, request_amount: price } = fields
  const taken = bears === true ? Number(amount) + Number(charge) : Number(amount)
  const isWrong = (code: unknown, allowed: readonly number[]): boolean =>
    amountsIn(text, String(code)).some(
      (numbers) => !numbers.some((each) => allowed.some((one) => Math.abs(one - each) < SAME)),
    )
  return faultIf(
    isWrong(currency, bears === true ? [taken, Number(charge)] : [taken]) ||
      (requested !== currency && isWrong(requested, [Number(price)])),
    'amount on the page',
    `the payment page of ${nameOf(record)} shows ${JSON.stringify(text)}, and ${taken} ${String(currency)} is taken: ${record.source} has transaction_amount ${String(amount)}, transaction_charge ${String(charge)}, charge_customer ${valueIn(record, 'charge_customer')}`,
    'payment page',
  )
}
