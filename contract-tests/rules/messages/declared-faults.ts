import { isFields, valueAt } from '../../harness/json.ts'
import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'
import type { DeclaredSentence } from '../../harness/declared-words.ts'
import { shownText, strangeWords } from './message-faults.ts'
import { namedFaults } from './named-values.ts'
import { valueFaults } from './value-faults.ts'

/** A schema's message about a field: computed from the request, so no sentence is listed for it. */
const OF_A_NAME = /^(?:.+|The request body) (?:is not allowed|must be given once)$/s
const ENDINGS = /(?:is required|is not allowed|must be given once)$/

/** What is known about the request that a message answers. */
interface RequestFacts {
  /** No parameter and no field of it breaks a schema. */
  readonly isValid: boolean
  /** What is wrong with it cannot be told from outside, and the schemas have this message. */
  readonly isOfSchemas: () => boolean
}

const sentencesMeant = (message: string, declared: readonly DeclaredSentence[]): readonly DeclaredSentence[] =>
  declared.filter(({ text, pattern }) => (ENDINGS.test(text) ? text === message : pattern.test(message)))

/** A reply with the message of an example has its `reason` too: programs go by it. */
export function reasonFaults(
  { replyBody, exchange: { reply } }: ObservedExchange,
  message: string,
  declared: readonly DeclaredSentence[],
): readonly Fault[] {
  const reason = isFields(replyBody) ? replyBody['reason'] : undefined
  const shown = sentencesMeant(message, declared).flatMap((meant) => meant.reason ?? [])
  return faultIf(
    typeof reason === 'string' && shown.length > 0 && !shown.includes(reason),
    `reason ${reply.status} ${shown.join(' ')}`,
    `the reason of a reply ${reply.status}, ${shownText(message)}, is ${JSON.stringify(reason)}; the contract shows ${shown.join(' or ')}`,
  )
}

/** Compares a message with the sentences that the contract shows for its status. */
export function declaredFaults(
  seen: ObservedExchange,
  message: string,
  declared: readonly DeclaredSentence[],
  { isValid, isOfSchemas }: RequestFacts,
): readonly Fault[] {
  const meant = sentencesMeant(message, declared)
  const [, given] = /^(\S+) is required$/.exec(message) ?? []
  if (isValid && given !== undefined && isGiven(seen, given))
    return strangeWords(seen, message, `is not so: the request has ${given}`)
  if (meant.length === 0)
    return !isValid && (OF_A_NAME.test(message) || isOfSchemas())
      ? []
      : strangeWords(seen, message, `is none that the contract shows for it`)
  const strange = namedFaults(seen, message)
  if (strange.length > 0) return strange
  const faults = meant.map(({ pattern }) => valueFaults(pattern.exec(message)?.groups ?? {}, seen))
  return faults.some((each) => each.length === 0) ? [] : (faults[0] ?? [])
}

const isGiven = ({ requestBody: sent, exchange: { request } }: ObservedExchange, name: string): boolean =>
  ![undefined, null, ''].includes(valueAt(sent, name.split('.')) as undefined) ||
  request.headers[name.toLowerCase()] !== undefined
