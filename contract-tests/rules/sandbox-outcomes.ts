import type { Contract } from '../../openapi/reading/contract.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import { NOTHING_JUDGED, type Rule } from './rule.ts'
import { outcomesIn } from './sandbox-outcomes/test-numbers.ts'

/** A sandbox payment fails for the reason of its test number, as a collection or as a payout. */
function sandboxOutcomeJudge(contract: Contract): Judge {
  const outcomes = outcomesIn(contract)
  const reasons = new Set([...outcomes.values()].flatMap(({ collection, payout }) => [collection, payout]))
  // A payment without a result for a day fails so, whatever its number, and some parts let days pass.
  const timedOut = outcomes.get('003')
  return (seen) => {
    const { transaction_type: type, transaction_account: account, status_message: message, ...record } = seen.record
    const isPayout = String(type).toUpperCase() === 'PAYOUT'
    // On the page, the customer may choose the bank account.
    const isChosen = !isPayout && 'institution_name' in record
    const isTimedOut = message === (isPayout ? timedOut?.payout : timedOut?.collection)
    if (typeof message !== 'string' || !reasons.has(message) || isTimedOut) return []
    if (!/\d{3}$/.test(String(account)) || isChosen) return []
    const outcome = outcomes.get(String(account).slice(-3))
    const wanted = isPayout ? outcome?.payout : outcome?.collection
    return faultIf(
      outcome === undefined || (wanted !== undefined && wanted !== message),
      `outcome ${message}`,
      `status_message of a ${isPayout ? 'payout' : 'collection'} to a test number that ends in ${String(account).slice(-3)} is ${JSON.stringify(message)}, not ${JSON.stringify(wanted) ?? 'that of a number that succeeds'}, as the page "The sandbox" has it`,
    )
  }
}

export const sandboxOutcomesRule: Rule = {
  name: 'test numbers',
  reason: 'A sandbox payment fails for the reason of its test number.',
  plantedFault: 'recipient-called-customer',
  judging: ({ contract, sandbox }) => (sandbox ? { each: sandboxOutcomeJudge(contract) } : NOTHING_JUDGED),
}
