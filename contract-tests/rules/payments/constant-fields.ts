import { BoundedMap } from '../bounded-map.ts'
import { faultIf, type Fault, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { asksForAnyAmount, claimsIn, isSameValue, nameOf, valueIn, type Claim } from './claims.ts'

const REFERENCES = 'id internal_reference merchant_reference transaction_type provider_code customer_name'.split(' ')
const OF_REFUNDS = 'reason refund_method collection_merchant_reference collection_internal_reference'.split(' ')
const AMOUNTS = ['request_currency', 'request_amount', 'transaction_currency', 'transaction_amount', 'charge_customer']
/** Fixed at acceptance; what failed or was cancelled costs nothing (page "Money"). */
const OF_MONEY = ['transaction_charge', 'charge_refunded', 'total_credit', 'total_debit']
const CHOSEN = new Set(['request_amount', 'transaction_amount', ...OF_MONEY])

/** Fields of a message that no other message about the transaction may contradict. */
function constantFields({ fields, isWhole }: Claim): readonly string[] {
  const { transaction_status: status, transaction_account: account, institution_name: bank } = fields
  const costsNothing = status === 'FAILED' || status === 'CANCELLED'
  // The customer of a bank collection may choose another account until the payment is final.
  const hasAccount = typeof account === 'string' && account !== '' && bank === undefined
  const names = [
    ...REFERENCES,
    ...OF_REFUNDS,
    ...AMOUNTS,
    ...(costsNothing ? [] : OF_MONEY),
    ...(hasAccount ? ['transaction_account'] : []),
  ]
  return names.filter((name) => name in fields || (isWhole && name === 'customer_name'))
}

function constantFieldJudge(): Judge {
  /** By transaction and field: the first message that had it. */
  const known = new BoundedMap<string, Map<string, Claim>>()
  const ofAnyAmount = new BoundedMap<string, true>()
  const differing = (claim: Claim): readonly Fault[] => {
    const first = known.of(claim.internalReference, () => new Map())
    if (asksForAnyAmount(claim)) ofAnyAmount.set(claim.internalReference, true)
    const isPaid = ofAnyAmount.has(claim.internalReference) && claim.fields.transaction_status === 'COMPLETED'
    return constantFields(claim).flatMap((name) => {
      const key = isPaid && CHOSEN.has(name) ? `${name} as paid` : name
      const other = first.get(key)
      // A request spells the number as it likes: the record's spelling is compared from then on.
      if (!other || (other.source === 'the request' && claim.isWhole)) first.set(key, claim)
      return faultIf(
        other !== undefined && !isSameValue(name, claim, other),
        `${name} of ${claim.source} and of ${other?.source}`,
        `${name} of ${nameOf(claim)} is ${valueIn(claim, name)} in ${claim.source}, and ${other && valueIn(other, name)} in ${other?.source}: it is the same in every message about a transaction`,
        claim.about,
      )
    })
  }
  return (seen) => claimsIn(seen).flatMap(differing)
}

export const constantFieldsRule: Rule = {
  name: 'constant fields',
  reason: 'References, amounts, currencies, provider, account, name and charge of a transaction never change.',
  plantedFault: 'charge-of-customer-too-high',
  judging: () => ({ each: constantFieldJudge() }),
}
