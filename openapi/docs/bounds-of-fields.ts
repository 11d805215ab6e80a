import type { OpenApiDocument, Schema } from '../reading/document.ts'
import { operationsOf } from '../reading/operations.ts'
import { follow } from '../reading/references.ts'

/** What a text may state about the bounds of a field. */
export interface FieldBounds {
  /** `10 to 30`: lengths, values, and the parts of a pattern that has several. */
  readonly ranges: ReadonlySet<string>
  /** Numbers without a range: the maximum length, the length of a part. */
  readonly counts: ReadonlySet<number>
  /** The minimum number of digits. */
  readonly leastDigits: ReadonlySet<number>
}

/** A piece of a pattern (a class, an escape, a character) with its number of repetitions. */
const PIECE = /(?:\[(?:\\.|[^\]\\])*\]|\\x[\da-f]{2}|\\.|[^|()])(?:\{(\d+)(?:,(\d+))?\}|([*+?]))?/iy

/** The bounds of a schema as written in it. */
export function boundsOf(schema: Schema): FieldBounds {
  const { minLength, maxLength, minimum, maximum, pattern = '' } = schema
  const ranges = new Set([`${minLength} to ${maxLength}`, `${minimum} to ${maximum}`])
  const counts = new Set<number>(maxLength === undefined ? [] : [maxLength])
  if (lengthsOf(pattern) && hasFittingPattern(schema))
    for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d+))?\}/g)) {
      if (most === undefined) counts.add(Number(least))
      else ranges.add(`${least} to ${most}`)
    }
  return { ranges, counts, leastDigits: new Set([String(minimum ?? '').length, minLength ?? 0]) }
}

/** Whether the schema's pattern, where it limits lengths, accepts the lengths that the bounds allow. */
export function hasFittingPattern({ pattern, minLength, maxLength }: Schema): boolean {
  const lengths = pattern === undefined ? undefined : lengthsOf(pattern)
  return !lengths || (lengths[0] === minLength && lengths[1] === maxLength)
}

/** The lengths that a simple pattern accepts; undefined for a pattern with groups or without an end. */
function lengthsOf(pattern: string): readonly [number, number] | undefined {
  const body = pattern.replace(/^\^(?:\(\?:)?|\)?\$$/g, '')
  const totals: [number, number][] = [[0, 0]]
  PIECE.lastIndex = 0
  for (let at = 0; at < body.length; at = PIECE.lastIndex) {
    if (body[at] === '|') {
      totals.push([0, 0])
      PIECE.lastIndex = at + 1
      continue
    }
    PIECE.lastIndex = at
    const piece = PIECE.exec(body)
    const total = totals.at(-1)
    if (!piece || !total || piece[3]) return undefined
    const [, least = '1', most = least] = piece
    total[0] += Number(least)
    total[1] += Number(most)
  }
  return [Math.min(...totals.map(([least]) => least)), Math.max(...totals.map(([, most]) => most))]
}

/**
 * A name independent of the language: `merchant_reference`, `merchantReference` and `Merchant-Reference` are the same.
 */
export const plainName = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

/** The schemas of everything that merchants send, by plain name. */
export function sentFields(document: OpenApiDocument): ReadonlyMap<string, readonly Schema[]> {
  const fields = new Map<string, Schema[]>()
  const add = (name: string, written: Schema): void => {
    const schema = follow(document, written)
    fields.set(plainName(name), [...(fields.get(plainName(name)) ?? []), schema])
    within(schema)
  }
  const within = ({ properties = {}, oneOf = [], allOf = [] }: Schema): void => {
    for (const [name, property] of Object.entries(properties)) add(name, property)
    for (const member of [...oneOf, ...allOf]) within(follow(document, member))
  }
  for (const { parameters, body, kind } of operationsOf(document)) {
    if (kind !== 'operation') continue
    for (const { name, schema } of parameters) add(name, schema)
    if (body) within(follow(document, body.schema))
  }
  return fields
}
