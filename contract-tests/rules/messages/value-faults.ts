import { faultIf, onlyHeader, type Fault, type ObservedExchange } from '../observed-exchange.ts'
import { shownText, subject } from './message-faults.ts'

/** Whether the values in a message are those of this request and this reply. */
export function valueFaults(
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

/** Messages truncate names and paths: the rest must be a prefix. */
const CUT_MIN = 64

/** Every value of a request: in its path, query, headers and body. */
function* valuesSent({
  inPath,
  path,
  query,
  requestBody: sent,
  exchange: { request },
}: ObservedExchange): Generator<string> {
  // On a path without an operation, the last segment is what was requested.
  const last = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '')
  yield last
  yield decoded(last)
  yield* inPath.values()
  yield* new URLSearchParams(query).values()
  for (const values of Object.values(request.headers)) {
    yield* values ?? []
    // A repeated header is one header with both values (RFC 9110, section 5.3).
    yield (values ?? []).join(', ')
  }
  yield* leavesOf(sent)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function* leavesOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) yield String(value)
  else for (const each of Object.values(value)) yield* leavesOf(each)
}

const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, '?')

/** Whether a value in a message is one of the request: as sent, a number without its `+`, a URL's host or parameter. */
function isOfRequest(value: string, seen: ObservedExchange): boolean {
  const reported = plain(value)
  for (const each of valuesSent(seen)) {
    const own = plain(each)
    if (own === reported || own === `+${reported}`) return true
    if (reported.length >= CUT_MIN && own.startsWith(reported)) return true
    const url = /^https?:/i.test(each) ? URL.parse(each) : null
    if (url?.hostname.replace(/\.$/, '') === value || url?.searchParams.has(value)) return true
  }
  return false
}
