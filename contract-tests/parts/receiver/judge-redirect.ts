import type { SentOperations } from './contract.ts'
import type { Findings } from './findings.ts'
import type { PlayedPayment } from './judge-payment.ts'
import { isFinal } from './message-fields.ts'
import { faultIf, operationFaults, timed, type Fault } from './webhook-check.ts'

/** Checks a redirect against the contract's callback of that name; the rules compare it with verify. */
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
}
