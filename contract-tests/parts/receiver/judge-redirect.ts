import type { SentOperations } from './contract.ts'
import type { Findings } from './findings.ts'
import type { PlayedPayment } from './judge-payment.ts'
import { isFinal, isState, type Fields } from './message-fields.ts'
import { stateSignatureFaults, type SignatureKeys } from './signatures.ts'
import { faultIf, operationFaults, timed, type Fault } from './webhook-check.ts'

/** Checks a redirect against the contract's callback of that name, its signatures, and the callback. */
export async function judgeRedirect(
  payment: PlayedPayment,
  contract: SentOperations,
  keys: SignatureKeys,
  findings: Findings,
): Promise<void> {
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
  if (declared.length > 0 || !isState(query)) return
  const signed = await stateSignatureFaults(
    query,
    { hmac: String(query.hmac_signature), rsa: String(query.rsa_signature), rsaKeyId: String(query.rsa_key_id) },
    keys,
    redirect.at,
  )
  hold(3, [])
  for (const fault of signed) {
    const [parameter = ''] = fault.rule.split(' ')
    findings.hold(parameter, 0, [fault], `redirect of ${subject}`, payment)
  }
}
