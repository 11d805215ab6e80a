import { isList, objectOf, textOf, type Json } from '../../../openapi/reading/json.ts'
import type { ParityCase } from './parity-cases.ts'

const REPLY_MS_MAX = 15_000
/** Headers that the contract declares, and Allow (RFC 9110, section 10.2.1). */
const HEADERS = [
  'x-request-id',
  'cache-control',
  'x-content-type-options',
  'idempotency-replayed',
  'www-authenticate',
  'retry-after',
  'allow',
]

/** The comparable parts of a reply: its values are the server's own. */
export interface ParityReply {
  readonly status: string
  readonly mediaType: string
  readonly headers: string
  /** Reason of a refusal; empty for a success. */
  readonly message: string
  /** Every field of the body with the type of its value; lists by their first item. */
  readonly fields: string
}

export const aspects = [
  'status',
  'mediaType',
  'headers',
  'message',
  'fields',
] as const satisfies readonly (keyof ParityReply)[]

/** Sends a case to a server and keeps the comparable parts; a broken connection is a status of its own. */
export async function seenAt(
  url: string,
  { method, path, headers, body }: ParityCase,
  patienceMs = REPLY_MS_MAX,
): Promise<ParityReply> {
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
      ...(body !== undefined && { body }),
    })
    const json = parsed(await response.text())
    return {
      status: String(response.status),
      mediaType: response.headers.get('content-type')?.replaceAll(' ', '').toLowerCase() ?? 'none',
      headers: HEADERS.filter((name) => response.headers.has(name)).join(', ') || 'none',
      message: response.status >= 400 ? textOf(objectOf(json).message ?? objectOf(json).title ?? '') : '',
      fields: json === undefined ? 'none' : [...new Set(fieldsOf(json))].toSorted().join(', '),
    }
  } catch {
    return { status: 'no reply', mediaType: 'none', headers: 'none', message: '', fields: 'none' }
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function fieldsOf(value: Json | undefined, path = ''): string[] {
  if (isList(value)) return value.length === 0 ? [`${path}[]`] : fieldsOf(value[0], `${path}[]`)
  if (typeof value !== 'object' || value === null) return [`${path} ${value === null ? 'null' : typeof value}`]
  const fields = Object.entries(objectOf(value))
  return fields.length === 0
    ? [`${path}{}`]
    : fields.flatMap(([name, each]) => fieldsOf(each, path === '' ? name : `${path}.${name}`))
}
