import type { Contract, Operation, Response } from '../../../openapi/reading/contract.ts'
import { isFields, valueAt } from '../json.ts'
import { allSentences } from './all-sentences.ts'
import { sentencesOf, wordsOfPage, type DeclaredSentence } from './declared-words.ts'
import { createFieldSentences } from './field-sentences.ts'
import { firstFault } from './first-fault.ts'
import { faultIf, onlyHeader, type Fault, type Judge, type ObservedExchange } from './observed-exchange.ts'
import { methodFaults, namedFaults } from './named-values.ts'
import { isOfRequest } from './sent-values.ts'

const SHOWN_MAX = 160
/** A schema's message about a field: computed from the request, so no sentence is listed for it. */
const OF_A_NAME = /^(?:.+|The request body) (?:is not allowed|must be given once)$/s
/** Files served beside the operations have pages and messages of their own. */
const OF_PAGES = /^\/(?:docs|sandbox|pay)\//
const ENDINGS = /(?:is required|is not allowed|must be given once)$/

/**
 * A reply has a message that the contract allows: that of an example for its status, or of the page "Errors", with the
 * values of this request. For an invalid request it is the first fault's.
 */
export function wordsJudge(contract: Contract): Judge {
  const page = wordsOfPage(contract, 'errors')
  const sentences = createFieldSentences(contract)
  const known = new Map<Response, readonly DeclaredSentence[]>()
  const sentencesFor = (response: Response): readonly DeclaredSentence[] => {
    const own = known.get(response) ?? sentencesOf(response)
    known.set(response, own)
    return own
  }
  const ofSchemas = new Map<Operation, ReadonlySet<string>>()
  const schemasSay = (operation: Operation | undefined, message: string): boolean => {
    if (!operation) return false
    const all = ofSchemas.get(operation) ?? allSentences(contract, operation)
    ofSchemas.set(operation, all)
    return all.has(message)
  }
  return (seen) => {
    const { response, replyBody: reported, direction, exchange } = seen
    if (direction === 'received' || !isFields(reported) || typeof reported.message !== 'string') return []
    const { message } = reported
    const { status } = exchange.reply
    if (!response) return status === 404 || status === 405 ? outsideFaults(page, seen, message) : []
    const shown = sentencesFor(response)
    if (shown.length === 0) return []
    if (status === 401) return keyFaults(seen, message)
    const first = status === 400 ? firstFault(contract, sentences, seen) : 'none'
    if (Array.isArray(first)) return firstFaults(first, seen, message)
    const declared = status < 400 ? shown : [...shown, ...page]
    const meant = declared.filter(({ text, pattern }) =>
      ENDINGS.test(text) ? text === message : pattern.test(message),
    )
    const [, given] = /^(\S+) is required$/.exec(message) ?? []
    if (first === 'none' && given !== undefined && isGiven(seen, given))
      return strangeWords(seen, message, `is not so: the request has ${given}`)
    if (meant.length === 0)
      return first === undefined && (OF_A_NAME.test(message) || schemasSay(seen.operation, message))
        ? []
        : strangeWords(seen, message, `is none that the contract shows for it`)
    const strange = namedFaults(seen, message)
    if (strange.length > 0) return strange
    const right = meant.some(({ pattern }) => valueFaults(pattern.exec(message)?.groups ?? {}, seen).length === 0)
    return right
      ? []
      : meant.slice(0, 1).flatMap(({ pattern }) => valueFaults(pattern.exec(message)?.groups ?? {}, seen))
  }
}

const isGiven = ({ requestBody: sent, exchange: { request } }: ObservedExchange, name: string): boolean =>
  ![undefined, null, ''].includes(valueAt(sent, name.split('.')) as undefined) ||
  request.headers[name.toLowerCase()] !== undefined

const subject = ({ operation, exchange: { reply } }: ObservedExchange): string =>
  `${operation?.id ?? 'no operation'} ${reply.status}`

const shownText = (message: string): string => JSON.stringify(message.slice(0, SHOWN_MAX))

const strangeWords = ({ exchange: { reply } }: ObservedExchange, message: string, why: string): readonly Fault[] => [
  {
    rule: `words ${reply.status} ${formOf(message)}`,
    what: `the message of a reply ${reply.status}, ${shownText(message)}, ${why}`,
  },
]

/** Ignores values, so that one cause is one finding. */
const formOf = (message: string): string => message.replaceAll(/\([^)]*\)|\d+/g, '#').slice(0, 40)

/** 401 names the missing key, in the order in which the contract requires them; otherwise it says that one is wrong. */
function keyFaults(seen: ObservedExchange, message: string): readonly Fault[] {
  const {
    operation,
    exchange: { request },
  } = seen
  const missing = operation?.keys.find(({ header }) => (request.headers[header]?.join('') ?? '') === '')
  const examples = operation?.responses.find(({ status }) => status === '401')
  const wanted = missing
    ? [`${missing.header} is required`]
    : sentencesOf(examples ?? NONE)
        .map(({ text }) => text)
        .filter((text) => !text.endsWith('is required'))
  return faultIf(
    !wanted.includes(message),
    `words 401 ${missing?.header ?? 'wrong'}`,
    `the message of a reply 401 to a request with ${missing ? `no ${missing.header}` : 'all keys'} is ${shownText(message)}, not ${wanted.map(shownText).join(' or ')}`,
  )
}

const NONE = { status: '401', description: '', content: [], headers: [], examples: [], links: [] }

/** A repeated name may be reported before or after a missing field: programs parse JSON in one step or in two. */
function firstFaults(wanted: readonly string[], seen: ObservedExchange, message: string): readonly Fault[] {
  const came = clean(message)
  if (wanted.some((text) => clean(text) === came)) return []
  return [
    {
      rule: `first fault ${subject(seen).split(' ')[0]} ${wanted[0]?.split(' ')[0]}`,
      what: `the message of a reply 400 is ${shownText(message)}; by the contract the first thing wrong with the request is ${wanted.map(shownText).join(' or ')}`,
    },
  ]
}

/** A message that is not one line of text is reported elsewhere. */
const clean = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, '?')

/** A wrong path or method belongs to no operation; the page "Errors" has its message. */
function outsideFaults(page: readonly DeclaredSentence[], seen: ObservedExchange, message: string): readonly Fault[] {
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

/** Whether the values in a message are those of this request and this reply. */
function valueFaults(
  { value, number, path, seconds }: Readonly<Record<string, string | undefined>>,
  seen: ObservedExchange,
): readonly Fault[] {
  const { reply } = seen.exchange
  const values = [value, number].filter((each) => each !== undefined)
  const strange = values.find((each) => !isOfRequest(each, seen))
  const retryAfter = onlyHeader(reply.headers, 'retry-after')
  return [
    ...faultIf(
      strange !== undefined,
      `value ${subject(seen)}`,
      `the message of a reply ${reply.status} names ${shownText(strange ?? '')}, which is no value of the request`,
    ),
    ...faultIf(
      path !== undefined && /^[\w/.-]+$/.test(seen.path) && !seen.path.startsWith(path),
      `path ${reply.status}`,
      `the message of a reply ${reply.status} names ${shownText(path ?? '')}, and the path is ${shownText(seen.path)}`,
    ),
    ...faultIf(
      seconds !== undefined && retryAfter !== undefined && seconds !== retryAfter,
      `seconds ${reply.status}`,
      `the message of a reply ${reply.status} says to wait ${seconds} seconds, its Retry-After ${retryAfter}`,
    ),
  ]
}
