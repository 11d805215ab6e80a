// The keywords that hold one value, each with its rule.
import type { Effect, DetectedChange } from './change.ts'
import { listOf, sameJson, textOf, type Json } from '../reading/json.ts'
import { child } from '../reading/places.ts'
import { effect, shown, sighting, valueOf, type Context, type ComparedPlaces } from './sight.ts'
import { WIDER_PATTERNS } from './wider-patterns.ts'

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties']
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
/** Nothing tells which of two patterns allows more, unless somebody has read them. */
const FORMS = ['pattern', 'format', 'multipleOf', 'uniqueItems']

/**
 * A gateway grows by events and final states: new ones are no break, but the changelog names each, so that merchants
 * can expect them.
 */
const GROWING = ['event', 'transaction_status']

/** The keywords that `compareValueKeywords` handles. */
export const VALUE_KEYWORDS = [
  'type',
  'enum',
  'x-extensible-enum',
  'default',
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  ...FORMS,
]

type Rule = (before: Json | undefined, after: Json | undefined) => Effect

const presence: Rule = (before) => (before === undefined ? 'narrower' : 'wider')
const isAbsent = (before: Json | undefined, after: Json | undefined): boolean =>
  before === undefined || after === undefined
const isWider = (before: Json | undefined, after: Json | undefined): boolean =>
  WIDER_PATTERNS.get(textOf(before)) === after
function form(before: Json | undefined, after: Json | undefined): Effect {
  if (isAbsent(before, after)) return presence(before, after)
  return isWider(before, after) ? 'wider' : 'other'
}
const bound =
  (isNarrower: (before: number, after: number) => boolean): Rule =>
  (before, after) => {
    if (isAbsent(before, after)) return presence(before, after)
    return isNarrower(Number(before), Number(after)) ? 'narrower' : 'wider'
  }
const lowerBound = bound((before, after) => after > before)
const upperBound = bound((before, after) => after < before)
function type(before: Json | undefined, after: Json | undefined): Effect {
  if (before === 'integer' && after === 'number') return 'wider'
  if (before === 'number' && after === 'integer') return 'narrower'
  return form(before, after)
}

const rules: Readonly<Record<string, Rule>> = {
  type,
  ...Object.fromEntries(LOWER_BOUNDS.map((keyword) => [keyword, lowerBound])),
  ...Object.fromEntries(UPPER_BOUNDS.map((keyword) => [keyword, upperBound])),
  ...Object.fromEntries(FORMS.map((keyword) => [keyword, form])),
}

/** What changed among the keywords of a schema that hold one value. */
export function compareValueKeywords(pair: ComparedPlaces, context: Context): DetectedChange[] {
  const plain = Object.entries(rules).flatMap(([keyword, rule]) => {
    const [before, after] = [valueOf(pair.released, keyword), valueOf(pair.current, keyword)]
    if (sameJson(before, after)) return []
    return [
      effect(
        rule(before, after),
        child(pair.current, keyword),
        `\`${keyword}\` goes from ${shown(before)} to ${shown(after)}`,
        context,
      ),
    ]
  })
  return [...plain, ...compareEnum(pair, context), ...compareKnown(pair, context), ...compareDefault(pair, context)]
}

function compareEnum({ released, current }: ComparedPlaces, context: Context): DetectedChange[] {
  const place = child(current, 'enum')
  const [before, after] = [valueOf(released, 'enum'), valueOf(current, 'enum')]
  if (sameJson(before, after)) return []
  if (isAbsent(before, after))
    return [effect(presence(before, after), place, `\`enum\` goes from ${shown(before)} to ${shown(after)}`, context)]
  return [
    ...without(before, after).map((value) => effect('narrower', place, `loses the value ${shown(value)}`, context)),
    ...without(after, before).map((value) => added(value, place, context)),
  ]
}

const without = (all: Json | undefined, others: Json | undefined): Json[] =>
  listOf(all).filter((value) => !listOf(others).some((other) => sameJson(value, other)))

/** Others may come at any time, so a new one breaks nobody; but who decides by them has to hear of it. */
function compareKnown({ released, current }: ComparedPlaces, context: Context): DetectedChange[] {
  const keyword = 'x-extensible-enum'
  const place = child(current, keyword)
  const [before, after] = [valueOf(released, keyword), valueOf(current, keyword)]
  return [
    ...without(before, after).map((value) =>
      effect('narrower', place, `no longer knows the value ${shown(value)}`, context),
    ),
    ...without(after, before).map((value) => announced(value, place, context)),
  ]
}

function added(value: Json, place: ComparedPlaces['current'], context: Context): DetectedChange {
  if (!GROWING.includes(context.subject)) return effect('wider', place, `gains the value ${shown(value)}`, context)
  return announced(value, place, context)
}

const announced = (value: Json, place: ComparedPlaces['current'], context: Context): DetectedChange =>
  sighting('minor', place, `gains the value ${shown(value)}, which the changelog must announce`, {
    ...context,
    subject: textOf(value),
  })

/** The default of a request decides what every request without the field means. */
function compareDefault({ released, current }: ComparedPlaces, context: Context): DetectedChange[] {
  const [before, after] = [valueOf(released, 'default'), valueOf(current, 'default')]
  if (sameJson(before, after)) return []
  const what = `the default goes from ${shown(before)} to ${shown(after)}`
  return [sighting(context.direction === 'sent' ? 'major' : 'patch', child(current, 'default'), what, context)]
}
