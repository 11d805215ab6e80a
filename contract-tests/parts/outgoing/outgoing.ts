import { readContract } from '../../../openapi/reading/contract.ts'
import { createFindings } from '../../driver/findings.ts'
import { curlLine } from '../../harness/curl.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { REQUESTS, type OutgoingCheck } from './checks.ts'

const NO_PAYMENTS = 'redirects of payment pages were skipped: the customers are those of the sandbox'

/** Sends requests that no other part sends, so that what goes out in reply can be judged. */
export const outgoingPart: Part = {
  name: 'outgoing',
  what: 'hidden paths, pages beside the contract, both RSA public keys, addresses of redirects letter for letter',
  run: (target, options) => runOutgoing(target, options, Object.values(REQUESTS)),
}

export async function runOutgoing(
  target: Target,
  { seed }: Pick<RunOptions, 'seed'>,
  requests: readonly OutgoingCheck[],
): Promise<PartResult> {
  const { done } = beginPart('outgoing', seed)
  const findings = createFindings()
  const run = {
    target,
    contract: readContract(target.contract),
    seed,
    note: (...[about, rule, what, request]: [string, string, string, WireRequest]) =>
      findings.hold(about, 1, [{ rule, what }], request.path, { curl: curlLine(target, request) }),
  }
  let cases = 0
  for (const request of requests) cases += await request(run)
  return done({
    reason: target.sandbox ? undefined : NO_PAYMENTS,
    cases,
    checks: 2 * cases,
    findings: findings.list().map(({ finding }) => finding),
  })
}
