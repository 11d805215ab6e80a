import type { Scenario } from './scenario.ts'
import type { SentOperations } from './contract.ts'
import type { Fault, Findings } from '../../driver/findings.ts'
import type { PlayedPayment } from './judge-payment.ts'
import { isFinal } from '../../driver/message-fields.ts'
import { faultIf, operationFaults, timed } from './webhook-check.ts'

/** Checks a redirect against the contract's callback of that name; the rules compare it with redirect_url and verify. */
export function judgeRedirect(payment: PlayedPayment, contract: SentOperations, findings: Findings<Scenario>): void {
  const { redirect, scenario, record, reference } = payment
  if (!redirect || !record || !isFinal(record)) return
  const about = 'customerRedirect'
  const subject = `${scenario.name}, ${reference}`
  const hold = (rules: number, faults: readonly Fault[]) => findings.hold(about, rules, faults, subject, payment)
  const url = redirect.address === undefined ? undefined : URL.parse(redirect.address)
  if (!url) return hold(1, timed(faultIf(true, 'address', 'the page of a final payment leads nowhere')))
  const request = { method: 'GET', path: url.pathname + url.search, headers: {}, body: Buffer.alloc(0) }
  const operations = contract.callbacks.get(about) ?? []
  const declared = operationFaults(operations, request)
  hold(1 + (operations[0]?.parameters.length ?? 0), declared)
}
