import { fieldsOf } from '../json.ts'
import { jsonBody } from '../json-body.ts'
import type { Exchange, WireRequest } from '../proxy.ts'

/** A request of this run that names a reference or key. */
export interface SentRequest {
  /** Order of the replies. */
  readonly at: number
  readonly request: WireRequest
}

const MADE = ['internal_reference', 'merchant_reference'] as const

/** Who generated a name: the server always generates internal references, and merchant references for "auto". */
interface FieldSource extends SentRequest {
  readonly field: (typeof MADE)[number]
}

/** A nightly run keeps only the latest requests: a line needs only recent ones. */
const NAMES_MAX = 20_000
const REQUESTS_MAX = 8
const BODY_MAX = 8_000

export type History = ReturnType<typeof createHistory>

/** Requests by the names that they use, so that a line can repeat them. */
export function createHistory() {
  const requested = new Map<string, SentRequest[]>()
  const makers = new Map<string, FieldSource>()
  let count = 0
  return {
    record({ request, reply }: Pick<Exchange, 'request' | 'reply'>): void {
      const names = namesIn(request)
      const reported = fieldsOf(fieldsOf(jsonBody(reply.body))['data'])
      const isNamed = names.length > 0 || MADE.some((field) => field in reported)
      if (!isNamed || request.body.length > BODY_MAX) return
      const entry: SentRequest = { at: count++, request }
      for (const name of names) {
        const known = requested.get(name) ?? []
        if (known.length < REQUESTS_MAX) put(requested, name, [...known, entry])
      }
      if (request.method !== 'POST') return
      for (const field of MADE) {
        const name = reported[field]
        if (typeof name !== 'string' || names.includes(name.toUpperCase()) || makers.has(name)) continue
        put(makers, name, { ...entry, field })
      }
    },
    /** Requests with this name, in order. */
    about: (name: string): readonly SentRequest[] => requested.get(name.toUpperCase()) ?? [],
    /** The request whose reply first returned this name, and the field that held it. */
    makerOf: (name: string): FieldSource | undefined => makers.get(name),
  }
}

function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.set(name, value)
  const [oldest] = map.keys()
  if (map.size > NAMES_MAX && oldest !== undefined) map.delete(oldest)
}

const VERIFY = /\/verify\/([^/?]+)/

/** References and keys of a request, upper-case: names that differ only in case count as equal. */
function namesIn({ path, headers, body }: WireRequest): string[] {
  const { merchant_reference: reference, internal_reference: made } = fieldsOf(jsonBody(body))
  const names = [reference, made, headers['idempotency-key']?.[0], VERIFY.exec(path)?.[1]]
  return [...new Set(names.flatMap((name) => (typeof name === 'string' ? [name.toUpperCase()] : [])))].filter(
    (name) => name !== 'AUTO',
  )
}
