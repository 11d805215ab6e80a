import { readContract, type Contract } from '../../../openapi/reading/contract.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { requestHidden } from './hidden.ts'
import { createFindingNotes, type FindingNotes } from './finding-notes.ts'
import { requestPublicPages } from './public-pages.ts'
import { requestRefused, followRedirects } from './redirects.ts'
import { comparePair } from './rsa-pair.ts'

const NO_PAYMENTS = 'redirects of payment pages were skipped: the customers are those of the sandbox'

/** Checks of one subject. @returns the number of requests */
type OutgoingCheck = (
  target: Target,
  given: { readonly contract: Contract; readonly seed: number; readonly noted: FindingNotes },
) => Promise<number>

export const REQUESTS = {
  hidden: (target, { contract, noted }) => requestHidden(target, contract, noted),
  pages: (target) => requestPublicPages(target),
  keys: (target, { noted }) => comparePair(target, noted),
  refused: (target, { seed, noted }) => requestRefused(target, seed, noted),
  redirects: async (target, { seed, noted }) => (target.sandbox ? followRedirects(target, seed, noted) : 0),
} as const satisfies Record<string, OutgoingCheck>

/** Sends requests that no other part sends, so that what goes out in reply can be judged. */
export const outgoingPart: Part = {
  name: 'outgoing',
  what: 'hidden paths, pages beside the contract, both RSA public keys, addresses of redirects letter for letter',
  run: (target, options) => runOutgoing(target, options, Object.values(REQUESTS)),
}

export async function runOutgoing(
  target: Target,
  { seed }: RunOptions,
  requests: readonly OutgoingCheck[],
): Promise<PartResult> {
  const { done } = beginPart('outgoing', seed)
  const given = { contract: readContract(target.contract), seed, noted: createFindingNotes(target) }
  let cases = 0
  for (const request of requests) cases += await request(target, given)
  return done({
    reason: target.sandbox ? undefined : NO_PAYMENTS,
    cases,
    checks: 2 * cases,
    findings: given.noted.list(),
  })
}
