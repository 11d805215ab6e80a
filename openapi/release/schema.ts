import type { Effect, DetectedChange } from './change.ts'
import { listOf, objectOf, sameJson, stringsOf, textOf, type Json } from '../reading/json.ts'
import { child, children, descendant, entry, type SchemaLocation } from '../reading/places.ts'
import { compareValueKeywords, VALUE_KEYWORDS } from './schema-keywords.ts'
import {
  compareDeprecated,
  compareRequired,
  effect,
  matched,
  pairAt,
  rest,
  shown,
  sighting,
  valueOf,
  type Context,
  type ComparedPlaces,
} from './sight.ts'

const HANDLED = [
  ...VALUE_KEYWORDS,
  ...'properties required additionalProperties items allOf oneOf discriminator deprecated'.split(' '),
]

/**
 * What changed in a schema and everything below it, for one use of it. `around` are the places that it stands in: a
 * schema may contain itself.
 */
export function compareSchema(
  pair: ComparedPlaces,
  context: Context,
  around: ReadonlySet<string> = new Set(),
): DetectedChange[] {
  const place = `${pair.released.pointer} ${pair.current.pointer}`
  if (around.has(place) || (pair.released.node === undefined && pair.current.node === undefined)) return []
  if (pair.released.node === undefined || pair.current.node === undefined) {
    return [
      effect(
        pair.released.node === undefined ? 'narrower' : 'wider',
        pair.current,
        `the schema ${pair.released.node === undefined ? 'is new' : 'is gone'}`,
        context,
      ),
    ]
  }
  const below = (inner: ComparedPlaces, subject = context.subject) =>
    compareSchema(inner, { ...context, subject }, new Set([...around, place]))
  return [
    ...compareValueKeywords(pair, context),
    ...compareFields(pair, context, below),
    ...compareOpenness(pair, context),
    ...below(pairAt(pair, 'items')),
    ...compareParts(pair, context, below),
    ...compareBranches(pair, context, below),
    ...compareDeprecated(pair, context),
    ...rest(pair, HANDLED, context),
  ]
}

type CompareBelow = (pair: ComparedPlaces, subject?: string) => DetectedChange[]

function compareFields(pair: ComparedPlaces, context: Context, below: CompareBelow): DetectedChange[] {
  const fields = pairAt(pair, 'properties')
  const [before, after] = [objectOf(fields.released.node), objectOf(fields.current.node)]
  const required = {
    before: stringsOf(valueOf(pair.released, 'required')),
    after: stringsOf(valueOf(pair.current, 'required')),
  }
  const requiredPlace = child(pair.current, 'required')
  return [...new Set([...Object.keys(before), ...Object.keys(after), ...required.before, ...required.after])].flatMap(
    (name) => {
      const named = { ...context, subject: name }
      const [was, is] = [required.before.includes(name), required.after.includes(name)]
      const removed = name in before && !(name in after)
      const isNew = !(name in before) && name in after
      // A reply without a field, and a closed request that refuses it, both break who used it.
      if (removed) return [sighting('major', entry(fields.released, name), `the field \`${name}\` is gone`, named)]
      if (isNew && is && context.direction === 'sent')
        return [sighting('major', requiredPlace, `the new field \`${name}\` is required`, named)]
      if (isNew) return [sighting('minor', entry(fields.current, name), `the field \`${name}\` is new`, named)]
      return [
        ...compareRequired(was, is, requiredPlace, `the field \`${name}\``, named),
        ...below(pairAt(fields, name), name),
      ]
    },
  )
}

function openness(before: Json, after: Json): Effect {
  if (after === false) return 'narrower'
  return before === false ? 'wider' : 'other'
}

function compareOpenness({ released, current }: ComparedPlaces, context: Context): DetectedChange[] {
  const [before, after] = [
    valueOf(released, 'additionalProperties') ?? true,
    valueOf(current, 'additionalProperties') ?? true,
  ]
  if (sameJson(before, after)) return []
  return [
    effect(
      openness(before, after),
      child(current, 'additionalProperties'),
      `fields that are not declared: from ${shown(before)} to ${shown(after)}`,
      context,
    ),
  ]
}

/** `allOf`: each part narrows the whole. */
function compareParts(pair: ComparedPlaces, context: Context, below: CompareBelow): DetectedChange[] {
  const parts = pairAt(pair, 'allOf')
  const [before, after] = [listOf(parts.released.node).length, listOf(parts.current.node).length]
  if (before !== after)
    return [
      effect(
        after > before ? 'narrower' : 'wider',
        parts.current,
        `\`allOf\` goes from ${before} to ${after} parts`,
        context,
      ),
    ]
  return [...Array(before).keys()].flatMap((index) => below(pairAt(parts, String(index))))
}

/** `oneOf`: branches are told apart by the value of the discriminator, or else by their place. */
function compareBranches(pair: ComparedPlaces, context: Context, below: CompareBelow): DetectedChange[] {
  const [before, after] = [branchesOf(pair.released), branchesOf(pair.current)]
  const [tagBefore, tagAfter] = [tagOf(pair.released), tagOf(pair.current)]
  if (tagBefore !== tagAfter)
    return [
      effect(
        'other',
        child(pair.current, 'discriminator'),
        `branches are told apart by ${shown(tagAfter)}, not by ${shown(tagBefore)}`,
        context,
      ),
    ]
  const subject = tagBefore ?? context.subject
  return matched(before, after).flatMap(([value, released, current]) => {
    if (released && current) return below({ released, current })
    const [place, how] = current ? [current, 'wider' as const] : [child(pair.current, 'oneOf'), 'narrower' as const]
    // A new event is announced like a new value of the field itself.
    if (current && subject === 'event' && context.direction === 'received') {
      return [
        sighting('minor', place, `the event \`${value}\` is new, which the changelog must announce`, {
          ...context,
          subject: value,
        }),
      ]
    }
    return [
      effect(how, place, `the branch \`${value}\` of \`${subject}\` is ${current ? 'new' : 'gone'}`, {
        ...context,
        subject: tagBefore ? value : subject,
      }),
    ]
  })
}

function tagOf(schema: SchemaLocation): string | undefined {
  const name = descendant(schema, 'discriminator', 'propertyName').node
  return typeof name === 'string' ? name : undefined
}

function branchesOf(schema: SchemaLocation): ReadonlyMap<string, SchemaLocation> {
  const byPointer = new Map(
    children(child(schema, 'oneOf')).map(([index, place]) => [place.pointer, [index, place] as const]),
  )
  const values = Object.entries(objectOf(descendant(schema, 'discriminator', 'mapping').node))
  const named = values.flatMap(([value, pointer]): [string, SchemaLocation][] => {
    const branch = byPointer.get(textOf(pointer))
    return branch ? [[value, branch[1]]] : []
  })
  return new Map(named.length > 0 ? named : [...byPointer.values()].map(([index, place]) => [index, place]))
}
