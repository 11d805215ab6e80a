import type { ObservedExchange } from './seen.ts'

/** Names and paths are cut in messages: what is left must be the beginning. */
const CUT_MIN = 64

/** Every single value of a request: in its path, query, headers and body. */
function* valuesSent({ inPath, path, query, sent, exchange: { request } }: ObservedExchange): Generator<string> {
  // Of a path that no operation has, the last piece is what was asked for.
  const last = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '')
  yield last
  yield decoded(last)
  yield* inPath.values()
  yield* new URLSearchParams(query).values()
  for (const values of Object.values(request.headers)) {
    yield* values ?? []
    // A header that came twice is one with both values (RFC 9110, section 5.3).
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

/** Whether a value that a message names is one of the request: as it was sent, a number without its `+`, a URL's host. */
export function isOfRequest(value: string, seen: ObservedExchange): boolean {
  const reported = plain(value)
  for (const each of valuesSent(seen)) {
    const own = plain(each)
    if (own === reported || own === `+${reported}`) return true
    if (reported.length >= CUT_MIN && own.startsWith(reported)) return true
    if (/^https?:/i.test(each) && URL.parse(each)?.hostname.replace(/\.$/, '') === value) return true
  }
  return false
}
