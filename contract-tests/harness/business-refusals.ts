import { bundleUrl, readContract } from '../../openapi/reading/contract.ts'
import { sentencesOf } from './declared-words.ts'

/**
 * Messages of business rules, with 400, for a request that fits the contract: the examples of the contract that are
 * marked `x-business-rule`. The sandbox has a rail for every provider, so no example says that there is none, and
 * none of them refuses cents.
 */
export const BUSINESS_REFUSALS: readonly RegExp[] = [
  ...sentencesOf({
    examples: readContract(bundleUrl)
      .operations.flatMap(({ responses }) => responses.flatMap(({ examples }) => examples))
      .filter(({ isBusinessRule }) => isBusinessRule),
  }).map(({ pattern }) => pattern),
  /^Invalid provider code \([^ )]*\): no rail is configured$/,
  /^amount must be whole: its operator moves no cents$/,
]

/** Whether the message of a 400 reply is a business rule's; every other message is a breach of the contract. */
export const isBusinessRefusal = (message: string): boolean =>
  BUSINESS_REFUSALS.some((refusal) => refusal.test(message))
