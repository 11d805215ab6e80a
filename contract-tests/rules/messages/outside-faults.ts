import { faultIf, onlyHeader, type Fault, type ObservedExchange } from '../observed-exchange.ts'
import type { DeclaredSentence } from '../../harness/declared-words.ts'
import { strangeWords } from './message-faults.ts'
import { valueFaults } from './value-faults.ts'

/** Files served beside the operations have pages and messages of their own. */
const OF_PAGES = /^\/(?:docs|sandbox|pay)\//

/** A wrong path or method belongs to no operation; the page "Errors" has its message. */
export function outsideFaults(
  page: readonly DeclaredSentence[],
  seen: ObservedExchange,
  message: string,
): readonly Fault[] {
  const { status } = seen.exchange.reply
  if (OF_PAGES.test(seen.path)) return []
  const meant = page.find(
    ({ text, pattern }) =>
      (status === 404 ? / was not found$|^There is / : / is not allowed here/).test(text) && pattern.test(message),
  )
  if (!meant)
    return page.length === 0
      ? []
      : strangeWords(seen, message, 'is none that the page "Errors" of the contract shows for a wrong path or method')
  return [...valueFaults(meant.pattern.exec(message)?.groups ?? {}, seen), ...methodFaults(seen, message)]
}

/** 405 names the method of the request, and the methods in `Allow`. */
function methodFaults({ exchange: { request, reply } }: ObservedExchange, message: string): readonly Fault[] {
  const [, came, allowed] = /^(\S+) is not allowed here: use (.+)$/.exec(message) ?? []
  const allow = onlyHeader(reply.headers, 'allow')
  return faultIf(
    came !== undefined && (came !== request.method || (allow !== undefined && allowed !== allow)),
    `methods ${reply.status}`,
    `the message of a reply ${reply.status} to ${request.method}, with Allow: ${allow}, is ${JSON.stringify(message)}`,
  )
}
