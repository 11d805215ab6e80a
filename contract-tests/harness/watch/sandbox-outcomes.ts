import type { Contract } from '../../../openapi/reading/contract.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import { recordIn } from './record-in.ts'

/** The outcome of a test number: `undefined` where the page refers to another row for the message. */
interface Outcome {
  readonly collection: string | undefined
  readonly payout: string | undefined
}

/** The table "Test numbers" of the page "The sandbox", by the last three digits of an account. */
function outcomesIn({ document }: Contract): ReadonlyMap<string, Outcome> {
  const page = document.tags?.find(({ name }) => name === 'sandbox')?.description ?? ''
  const [, table = ''] = page.split('## Test numbers')
  const rows = (table.split('\n#')[0] ?? '').split('\n').filter((line) => /^\| \d{3}\b/.test(line))
  return new Map(
    rows.flatMap((row) => {
      const [, digits = '', outcome = ''] = row.split('|')
      if (!outcome.includes('`FAILED`')) return []
      const [ofCollections = '', ofPayouts = ''] = outcome.split('of a payout')
      const collection = reasonIn(ofCollections)
      return digits.split(',').map((each) => [each.trim(), { collection, payout: reasonIn(ofPayouts) ?? collection }])
    }),
  )
}

/** Code that contains a space: code without one is a status. */
const reasonIn = (text: string): string | undefined =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code).find((code) => code?.includes(' '))

/** A sandbox payment fails for the reason of its test number, as a collection or as a payout. */
export function sandboxOutcomeJudge(contract: Contract): Judge {
  const outcomes = outcomesIn(contract)
  const reasons = new Set([...outcomes.values()].flatMap(({ collection, payout }) => [collection, payout]))
  // A payment without a result for a day fails so, whatever its number, and some parts let days pass.
  const timedOut = outcomes.get('003')
  return (seen) => {
    const { transaction_type: type, transaction_account: account, status_message: message, ...record } = recordIn(seen)
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
