import type { WireReply } from '../harness/proxy.ts'
import type { RuleRequest } from './case-runner.ts'

/**
 * The expectation on a request:
 * - `success`: it is the contract's own example, or comes from the values
 * - `accepted`: it fits the schemas, but may name what does not exist, or meet a business rule
 * - `refused`: it breaks a schema
 * - `unauthorized`: it has no credential, or a wrong one
 * - `ignored`: it has something that the contract does not declare and does not forbid
 * - `strict`: only a strict server refuses it, because HTTP and JSON leave it open
 * - `either`: the server may accept or refuse it, but not fail
 * - `nowhere`: the path has no such method, or there is no such path (RFC 9110, sections 9.1 and 15.5)
 */
export type ExpectedReply =
  'success' | 'accepted' | 'refused' | 'unauthorized' | 'ignored' | 'strict' | 'either' | 'nowhere'

/** One request and the reply that the contract allows. */
export interface DeclaredCase extends RuleRequest {
  readonly expect: ExpectedReply
  /** The only statuses that the contract means, where it has several of a kind; judged where they are known. */
  readonly statuses?: readonly number[]
  /** The rule whose breach also shows here: one defect, one finding. */
  readonly sameAs?: string
  /** Methods that the contract declares for the path; for `nowhere` on an existing path. */
  readonly methods?: readonly string[]
  /** Whether the reply is marked as a replay; absent: either is fine. */
  readonly replayed?: boolean
}

/** A warning instead of a finding: the contract allows it, and a reader should know. */
export interface Remarks {
  /** @param kind the sentence, to which the operations are appended */
  remark(kind: string, request: DeclaredCase, reply: WireReply): void
}
