import type { WireReply } from '../../../harness/proxy.ts'
import type { Question } from '../../declared/asker.ts'

/**
 * What a contract that we do not know lets us expect of a request:
 * - `success`: it is the contract's own example, or what the values say
 * - `accepted`: it fits the schemas, but may name what is not there, or meet a rule of the business
 * - `refused`: it breaks a schema
 * - `unauthorized`: it lacks a credential, or has a wrong one
 * - `either`: taken or refused, as the server likes, and no failure
 * - `nowhere`: the path has no such method, or there is no such path (RFC 9110, sections 9.1 and 15.5)
 */
export type ExpectedReply = 'success' | 'accepted' | 'refused' | 'unauthorized' | 'either' | 'nowhere'

export interface ForeignAsk extends Question {
  readonly expect: ExpectedReply
  /** The rule whose breach shows here too: one wrong thing, one finding. */
  readonly sameAs?: string
  /** Methods that the contract declares for the path; of `nowhere` on a path that is there. */
  readonly methods?: readonly string[]
}

/** What is told and is no finding: the contract allows it, and a reader should know. */
export interface Remarks {
  /** @param kind the sentence, with the operations behind it */
  remark(kind: string, request: ForeignAsk, reply: WireReply): void
}
