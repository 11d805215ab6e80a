import type { ObservedExchange } from '../observed-exchange.ts'

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
export function isOfRequest(value: string, seen: ObservedExchange): boolean {
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
