import type { SentRequest } from './curl.ts'

/** The field of a request that a refusal is about. */
export interface RefusedField {
  /** `customer.name`, `items[0].sku`, the name of a parameter. */
  readonly name: string
  /** As JSON, shortened; absent: the request goes without the field. */
  readonly value?: string
}

/** A request as it was sent, and the path of its operation: `/things/{id}`. */
export interface RequestAt extends SentRequest {
  readonly path: string
}

interface Field {
  readonly name: string
  readonly value: unknown
}

/**
 * The field that the reply names, or whose value it repeats; undefined when it does neither.
 * @param declared names of fields that the operation has, of which this request may lack some
 */
export function refusedField(
  request: RequestAt,
  reply: string,
  declared: readonly string[] = [],
): RefusedField | undefined {
  const present = fieldsOf(request)
  const text = wordsOf(reply)
  const absent = declared.filter((name) => !present.some((field) => lastName(field.name) === lastName(name)))
  // Fuzzed data has fields of its own, whose names may be words of any text.
  const isDeclared = ({ name }: Field): boolean => declared.includes(name) || declared.includes(lastName(name))
  const [known, others] = [present.filter(isDeclared), present.filter((field) => !isDeclared(field))]
  const named = firstNamed([...namesOf(known), ...absent], text) ?? firstNamed(namesOf(others), text)
  const field = present.find(({ name }) => name === (named ?? ofValue(present, text)))
  if (field) return { name: field.name, value: shortened(field.value) }
  return named === undefined ? undefined : { name: named }
}

const namesOf = (fields: readonly Field[]): string[] => fields.map(({ name }) => name)

/** Sent with every request, by any client. */
const OF_TRANSPORT =
  /^(host|user-agent|accept-encoding|connection|content-length|authorization|cookie|x-schemathesis-.*)$/i

/** Names and values of everything that the request carries. */
export function fieldsOf({ uri, path, headers, body }: RequestAt): Field[] {
  const { pathname, searchParams } = new URL(URL.canParse(uri) ? uri : 'http://server.invalid')
  return [
    ...bodyFields(body === undefined ? '' : Buffer.from(body.$base64, 'base64').toString('utf8')),
    ...[...searchParams].map(([name, value]) => ({ name, value })),
    ...pathFields(path, pathname),
    ...Object.entries(headers).flatMap(([name, [value]]) => (OF_TRANSPORT.test(name) ? [] : [{ name, value }])),
  ]
}

function bodyFields(text: string): Field[] {
  try {
    return fieldsWithin('', JSON.parse(text))
  } catch {
    return /^[\w.%~*+-]+=/.test(text) ? [...new URLSearchParams(text)].map(([name, value]) => ({ name, value })) : []
  }
}

/** Objects before what is in them. */
function fieldsWithin(before: string, value: unknown): Field[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const inObject = before === '' ? key : `${before}.${key}`
    const name = Array.isArray(value) ? `${before}[${key}]` : inObject
    return [{ name, value: each }, ...fieldsWithin(name, each)]
  })
}

/** Values of the parameters in a path; a server may have a prefix before it. */
function pathFields(path: string, pathname: string): Field[] {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const pattern = path.split(/\{[^}]+\}/).map(escapePattern)
  const [, ...values] = new RegExp(`${pattern.join('([^/]*)')}$`).exec(pathname) ?? []
  return values.map((value, index) => ({ name: names[index] ?? '', value }))
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Names that replies of any API have, on their first level. */
const OF_AN_ENVELOPE =
  /^(code|data|detail|details|error|errors|fields|instance|message|messages|path|status|statusCode|success|timestamp|title|type)$/

/** What a reply says: its texts, and the names of its fields. */
function wordsOf(reply: string): string {
  try {
    return textsIn(JSON.parse(reply), 0).join('\n')
  } catch {
    return reply
  }
}

function textsIn(node: unknown, depth: number): string[] {
  if (typeof node === 'string') return [node]
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => [
    ...(Array.isArray(node) || (depth === 0 && OF_AN_ENVELOPE.test(key)) ? [] : [key]),
    ...textsIn(value, depth + 1),
  ])
}

/** The name that the text mentions first; of several at one place the one that says most of it. */
function firstNamed(names: readonly string[], text: string): string | undefined {
  const mentioned = names.flatMap((name) =>
    [name, lastName(name)].flatMap((spelling) => {
      const match = mentionOf(spelling, text)
      return match ? [{ name, place: match.index, length: match[0].length }] : []
    }),
  )
  const [first] = mentioned.toSorted((one, other) => one.place - other.place || other.length - one.length)
  return first?.name
}

const lastName = (name: string): string =>
  name
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .at(-1) ?? name

const SHORT_LENGTH_MAX = 2

/** Where a text mentions a name: `customer_name`, `Customer name`, `/customer/name`. */
function mentionOf(name: string, text: string): RegExpExecArray | null {
  const segments = name.split(/[.[\]]+/).filter((segment) => segment !== '')
  const words = segments.map((segment) => segment.split(/[_\s-]|(?<=[a-z0-9])(?=[A-Z])/).map(escapePattern))
  const pattern = words.map((each) => each.join('[_\\s-]?')).join('[./[\\]]+')
  // A short name is a word of its own in many texts: only between quotation marks, or as part of a path.
  const isShort = name.length <= SHORT_LENGTH_MAX
  const whole = isShort ? `(?<=["'\`/.])${pattern}(?=["'\`]|$)` : `(?<![A-Za-z0-9])${pattern}(?![A-Za-z0-9])`
  return pattern === '' ? null : new RegExp(whole, isShort ? 'm' : 'i').exec(text)
}

const VALUE_LENGTH_MIN = 4

/** The one field whose value the text repeats. */
function ofValue(fields: readonly Field[], text: string): string | undefined {
  const repeated = fields.filter(
    ({ value }) =>
      (typeof value === 'string' || typeof value === 'number') &&
      String(value).length >= VALUE_LENGTH_MIN &&
      text.includes(String(value)),
  )
  return repeated.length === 1 ? repeated[0]?.name : undefined
}

const VALUE_SHOWN_MAX = 100
function shortened(value: unknown): string {
  // An empty header has no value.
  const text = JSON.stringify(value ?? null)
  return text.length > VALUE_SHOWN_MAX ? `${text.slice(0, VALUE_SHOWN_MAX)}…` : text
}
