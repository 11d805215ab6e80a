import { isList, objectOf, textOf, type Json } from '../../../openapi/reading/json.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { passOn, type WireRequest } from '../../harness/proxy.ts'

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

/** Sends a request to a server and keeps the comparable parts; a broken connection is a status of its own. */
export async function seenAt(url: string, request: WireRequest, timeoutMs = REPLY_MS_MAX): Promise<ParityReply> {
  const reply = await passOn(new URL(url), request, { timeoutMs }).catch(() => undefined)
  if (!reply) return { status: 'no reply', mediaType: 'none', headers: 'none', message: '', fields: 'none' }
  const { status, headers, body } = reply
  const json = jsonOf(body) as Json | undefined
  const { message, title = '' } = objectOf(json)
  return {
    status: String(status),
    mediaType: headers['content-type']?.join().replaceAll(' ', '').toLowerCase() ?? 'none',
    headers: HEADERS.filter((name) => headers[name] !== undefined).join(', ') || 'none',
    message: status >= 400 ? textOf(message ?? title) : '',
    fields: json === undefined ? 'none' : [...new Set(fieldsOf(json))].toSorted().join(', '),
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
