import { faultIf, type Fault } from '../observed-exchange.ts'
import type { Judging, Rule } from '../rule.ts'
import { bestRate, chargeOf } from './charge-fit.ts'
import { comparable, noteCharge, type ChargeGroup } from './charge-groups.ts'
import { amountText } from './minor-units.ts'

/** Two charges nearly always fit one rate: a third one shows that it is the rate. */
const CHARGES_MIN = 3

/** The charges of a provider and type are one percentage and one flat amount, whoever bears them. */
function chargesJudging(): Judging {
  const groups = new Map<string, ChargeGroup>()
  return {
    each: (seen) => {
      noteCharge(groups, seen)
      return []
    },
    end: () => [...groups.values()].flatMap(faultsOf),
  }
}

function faultsOf(group: ChargeGroup): readonly Fault[] {
  const payments = comparable(group)
  if (payments.length < CHARGES_MIN) return []
  const { rate, misfits } = bestRate(payments)
  const text = (minor: bigint): string => amountText(minor, group.currency)
  const shown = misfits.slice(0, 3).map(({ reference, amount, charge }) => {
    const wanted = text(chargeOf(amount, rate))
    return `${reference}, ${text(amount)}, was charged ${text(charge)}, not ${wanted}`
  })
  return faultIf(
    misfits.length > 0,
    'charges',
    `charges of ${group.name} follow no one rule, a percentage plus a flat amount, rounded half up (contract, page "Money"): ${payments.length - misfits.length} of ${payments.length} fit ${Number(rate.bps) / 100} % + ${text(rate.flat)}; ${shown.join('; ')}`,
    'verifyTransaction',
  )
}

export const chargesRule: Rule = {
  name: 'charges',
  reason:
    'The charge of a provider and type is one percentage plus one flat amount, rounded half up to the minor unit.',
  plantedFault: 'charge-of-customer-too-high',
  judging: ({ sandbox }) =>
    sandbox ? chargesJudging() : { notJudged: 'staff may change charges while traffic is recorded' },
}
