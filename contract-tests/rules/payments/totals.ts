import { faultIf, type Fault, type Judge } from '../observed-exchange.ts'
import { amountText, minorOf } from '../money/minor-units.ts'
import type { Rule } from '../rule.ts'
import { claimsIn, nameOf, valueIn, type Claim } from './claims.ts'
import { totalOf } from './total-of.ts'

/** What follows from status, amount and charge alone (page "Money"). */
function totalsJudge(): Judge {
  return (seen) =>
    claimsIn(seen)
      .filter(({ isWhole }) => isWhole)
      .flatMap(faultsOf)
}

function faultsOf(claim: Claim): readonly Fault[] {
  const { fields, source, about } = claim
  const { transaction_status: status, request_amount: requested, transaction_amount: amount } = fields
  const { transaction_currency: currency } = fields
  const isOver = status === 'FAILED' || status === 'CANCELLED'
  const isConverted = fields.request_currency !== currency
  const [total, wanted] = totalOf(fields)
  const got = minorOf(fields[total], currency)
  const isOther = wanted !== undefined && got !== undefined && got !== wanted
  const hold = (isWrong: boolean, rule: string, what: string): readonly Fault[] =>
    faultIf(isWrong, `${rule} in ${source}`, `${source} of ${nameOf(claim)}, ${String(status)}, has ${what}`, about)
  const chargeName = fields.transaction_type === 'REFUND' ? 'charge_refunded' : 'transaction_charge'
  const [charge, has] = [valueIn(claim, chargeName), `a ${total} of ${valueIn(claim, total)}`]
  const uneven = ['transaction_amount', chargeName, total].find(
    (name) => typeof fields[name] === 'number' && minorOf(fields[name], currency) === undefined,
  )
  if (uneven !== undefined)
    return hold(true, `${uneven} without a unit`, `a ${uneven} of ${valueIn(claim, uneven)}: no whole minor units`)
  return [
    ...hold(isOver && fields[chargeName] !== 0, `charge ${String(status)}`, `a charge of ${charge}: no money moved`),
    ...hold(isOther && isOver, `${total} ${String(status)}`, `${has}: no money moved`),
    ...hold(
      isOther && !isOver,
      total,
      `${has}, not ${amountText(wanted ?? 0n, String(currency))}: transaction_amount ${String(amount)}, ${chargeName} ${charge}, charge_customer ${valueIn(claim, 'charge_customer')}`,
    ),
    ...hold(
      !isConverted && requested !== amount,
      'amount of one currency',
      `a transaction_amount of ${String(amount)} for a request_amount of ${String(requested)} in the same currency`,
    ),
  ]
}

export const totalsRule: Rule = {
  name: 'totals',
  reason: 'The total of a transaction follows from amount, charge and who bears it; what moved nothing costs nothing.',
  plantedFault: 'charge-stays-on-cancelled',
  judging: () => ({ each: totalsJudge() }),
}
