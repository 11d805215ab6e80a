import type { SentOperations } from './contract.ts'
import type { Findings } from './findings.ts'
import type { PlayedPayment } from './judge-payment.ts'
import { isFinal, type Fields } from './message-fields.ts'
import { faultIf, operationFaults, timed, type Fault } from './webhook-check.ts'

/** Checks a redirect against the contract's callback of that name, and the last verify reply. */
export function judgeRedirect(payment: PlayedPayment, contract: SentOperations, findings: Findings): void {
  const { redirect, scenario, record, reference } = payment
  if (!redirect || !record || !isFinal(record)) return
  const about = 'customerRedirect'
  const subject = `${scenario.name}, ${reference}`
  const hold = (rules: number, faults: readonly Fault[]) => findings.hold(about, rules, faults, subject, payment)
  const wanted = String(scenario.body.redirect_url)
  const url = redirect.address === undefined ? undefined : URL.parse(redirect.address)
  if (!url) return hold(1, timed(faultIf(true, 'address', 'the page of a final payment leads nowhere')))
  if (!redirect.address?.startsWith(wanted))
    return hold(1, faultIf(true, 'address', 'the page leads to another address than redirect_url, its query kept'))
  const request = { method: 'GET', path: url.pathname + url.search, headers: {}, body: Buffer.alloc(0) }
  const operations = contract.callbacks.get(about) ?? []
  const declared = operationFaults(operations, request)
  hold(1 + (operations[0]?.parameters.length ?? 0), declared)
  const query: Fields = Object.fromEntries(url.searchParams)
  const differing = Object.keys(record).filter((field) => field in query && String(record[field]) !== query[field])
  hold(
    Object.keys(query).length,
    differing.map((field) => ({
      rule: `verify ${field}`,
      what: `${field} is ${JSON.stringify(query[field])}, verify says ${JSON.stringify(record[field])}`,
    })),
  )
  const event = record.transaction_status === 'COMPLETED' ? 'transaction.completed' : 'transaction.failed'
  const isOther = typeof query.event === 'string' && query.event !== event
  const reported = `event is ${String(query.event)}, the transaction is ${String(record.transaction_status)}`
  hold(1, faultIf(isOther, 'event', reported))
}
