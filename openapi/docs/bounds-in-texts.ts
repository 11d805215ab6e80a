import { isObject } from '../reading/json.ts'
import type { OpenApiDocument, Schema } from '../reading/document.ts'
import { follow } from '../reading/references.ts'
import { boundsOf, hasFittingPattern, plainName, sentFields, type FieldBounds } from './bounds-of-fields.ts'

/** A text for readers: from the contract, or from a file of the project. */
interface ReadText {
  readonly where: string
  readonly text: string
  /** The schema that the text belongs to. */
  readonly schema?: Schema
}

const UNITS = '(?:characters|digits|letters|chiffres|algarismos)'
const KIND = '(?:of these )?(?:printable )?(?:ASCII )?'

/** How texts write bounds, and which bound of a field each form must equal. */
const FORMS: readonly (readonly [RegExp, (bounds: FieldBounds, first: string, second: string) => boolean])[] = [
  [new RegExp(`(\\d+) (?:to|à|a) (\\d+) ${KIND}${UNITS}`, 'g'), isRange],
  [/tarakimu (?:zozote )?(\d+) hadi (\d+)/gi, isRange],
  [/number from (\d{3,}) to (\d+)/g, isRange],
  // Followed by a currency, they are the limits of a provider.
  [/between (\d+) and (\d+)\b(?! [A-Z]{3})/g, isRange],
  [new RegExp(`at most (\\d+) ${KIND}${UNITS}`, 'gi'), isCount],
  [new RegExp(`(\\d+) ${KIND}${UNITS} (?:at most|or fewer)`, 'gi'), isCount],
  [new RegExp(`up to (\\d+) ${KIND}${UNITS}`, 'gi'), isCount],
  [new RegExp(`(?:must have|MLP\`? and) (\\d+) ${KIND}${UNITS}`, 'g'), isCount],
  [/\b(\d+)-letter\b/g, isCount],
  [/at least (\d+) digits/g, ({ leastDigits }, digits) => leastDigits.has(Number(digits))],
]

function isRange({ ranges }: FieldBounds, least: string, most: string): boolean {
  return ranges.has(`${Number(least)} to ${Number(most)}`)
}
function isCount({ counts }: FieldBounds, count: string): boolean {
  return counts.has(Number(count))
}

/** A number in a text that must equal a bound of one of these schemas. */
interface BoundClaim {
  /** `openapi/pages/errors.md: "10 to 30 characters"`. */
  readonly claim: string
  readonly holds: () => boolean
}

/**
 * What the texts claim about the bounds of fields, and about the lengths that patterns accept; the document is read
 * each time. A text is about the schema that it belongs to, else about the fields that its sentence names, else about
 * any field that merchants send.
 */
export function boundClaims(document: OpenApiDocument, files: readonly ReadText[]): readonly BoundClaim[] {
  const fields = sentFields(document)
  const texts = [...textsOf(document, document), ...files].flatMap((text) => claimsIn(fields, text))
  const patterns = [...fields].flatMap(([name, schemas]) =>
    schemas.map((schema) => ({ claim: `the pattern of ${name}`, holds: () => hasFittingPattern(schema) })),
  )
  return [...texts, ...patterns]
}

/** Claims that do not hold, or no longer. */
export const staleClaims = (claims: readonly BoundClaim[]): readonly string[] => [
  ...new Set(claims.filter(({ holds }) => !holds()).map(({ claim }) => claim)),
]

function claimsIn(fields: ReadonlyMap<string, readonly Schema[]>, { where, text, schema }: ReadText): BoundClaim[] {
  return sentencesOf(text).flatMap((sentence) => {
    const named = schema ? [schema] : fieldsNamedIn(sentence, fields)
    const about = named.length > 0 ? named : [...fields.values()].flat()
    return FORMS.flatMap(([form, isBound]) =>
      [...sentence.matchAll(form)].map(([phrase, first = '', second = '']) => ({
        claim: `${where}: "${phrase}"`,
        holds: () => about.some((each) => isBound(boundsOf(each), first, second)),
      })),
    )
  })
}

/** Rows of tables, and sentences with their lines joined: bounds wrap. */
const sentencesOf = (text: string): string[] =>
  text.replaceAll(/\n[ \t]*(?:\*|\/\/|#|>-)?[ \t]*(?=[^\s|*#/-])/g, ' ').split(/\n|(?<=[.;])\s+(?=[A-Z`\d])/)

/** Fields in code form (`otp`, merchant_reference, idempotencyKey), and the start of a message. */
function fieldsNamedIn(sentence: string, fields: ReadonlyMap<string, readonly Schema[]>): readonly Schema[] {
  const words = [
    ...sentence.matchAll(/`([A-Za-z][\w.-]*)|\b(\w+[_-]\w[\w-]*|[a-z]+[A-Z]\w*)|(?:^|["'`])([a-z_]+) must\b/g),
  ].map(([, code, name, first]) => code ?? name ?? first ?? '')
  return words.flatMap((word) => fields.get(plainName(word.slice(word.lastIndexOf('.') + 1))) ?? [])
}

const OWN_TEXTS = ['description', 'x-pattern-message', 'x-length-message']

/** Every text of the contract except its pages, which are files. */
function textsOf(document: OpenApiDocument, node: unknown, at = '#'): ReadText[] {
  if (Array.isArray(node)) return node.flatMap((each, index) => textsOf(document, each, `${at}/${index}`))
  if (!isObject(node)) return []
  const schema = schemaAt(document, node)
  return Object.entries(node).flatMap(([key, value]): ReadText[] => {
    if (at === '#' && (key === 'tags' || key === 'info' || key === 'x-tagGroups')) return []
    const where = `${at}/${key}`
    if (typeof value !== 'string') return textsOf(document, value, where)
    if (schema && OWN_TEXTS.includes(key)) return [{ where, text: value, schema }]
    return ['description', 'summary', 'message', 'source'].includes(key) ? [{ where, text: value }] : []
  })
}

/** The schema that the texts of a node are about: its own, that of a parameter, or the one that it refers to. */
function schemaAt(document: OpenApiDocument, node: Readonly<Record<string, unknown>>): Schema | undefined {
  const { $ref, in: place, schema } = node
  if (typeof $ref === 'string') {
    const target = $ref.startsWith('#/components/schemas/') ? follow<Schema>(document, { $ref }) : undefined
    return target && hasBounds(target) ? target : undefined
  }
  if (typeof place === 'string' && isObject(schema)) return follow<Schema>(document, schema)
  return hasBounds(node) ? node : undefined
}

const hasBounds = (node: Schema): boolean => node.maxLength !== undefined || node.maximum !== undefined
