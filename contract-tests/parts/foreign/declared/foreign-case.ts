import type { WireReply } from '../../../harness/proxy.ts'
import type { RuleRequest } from '../../declared/case-runner.ts'

/**
 * The expectation on a request to an unknown contract:
 * - `success`: it is the contract's own example, or comes from the values file
 * - `accepted`: it fits the schemas, but may name what does not exist, or meet a business rule
 * - `refused`: it breaks a schema
 * - `unauthorized`: it has no credential, or a wrong one
 * - `either`: the server may accept or refuse it, but not fail
 * - `nowhere`: the path has no such method, or there is no such path (RFC 9110, sections 9.1 and 15.5)
 */
export type ExpectedReply = 'success' | 'accepted' | 'refused' | 'unauthorized' | 'either' | 'nowhere'

export interface ForeignCase extends RuleRequest {
  readonly expect: ExpectedReply
  /** The rule whose breach also shows here: one defect, one finding. */
  readonly sameAs?: string
  /** Methods that the contract declares for the path; for `nowhere` on an existing path. */
  readonly methods?: readonly string[]
}

/** A warning instead of a finding: the contract allows it, and a reader should know. */
export interface Remarks {
  /** @param kind the sentence, to which the operations are appended */
  remark(kind: string, request: ForeignCase, reply: WireReply): void
}
