// Not `operationsOf` of reading/: the gate compares two versions of any contract place by place, and says of each change
// where it stands in the files; so it walks over places (reading/places.ts).
import { levelOf, type Direction, type Effect, type Level, type DetectedChange } from './change.ts'
import { objectOf, sameJson, type Json } from '../reading/json.ts'
import { child, fileOf, type SchemaLocation } from '../reading/places.ts'

/** The same thing in the released and in the current contract. */
export interface ComparedPlaces {
  readonly released: SchemaLocation
  readonly current: SchemaLocation
}

/** Where a comparison stands. */
export interface Context {
  readonly direction: Direction
  /** `operationId`; absent for what belongs to the whole contract. */
  readonly operation?: string
  /** The nearest field, parameter, header or status around it: what people call the thing. */
  readonly subject: string
}

/** Read by people and by the docs, never by a program on the wire. */
const TEXTS = new Set(
  '$comment contact description example examples externalDocs info links summary tags title'.split(' '),
)
const isText = (keyword: string): boolean => TEXTS.has(keyword) || keyword.startsWith('x-')

const whom = { sent: 'what merchants send', received: 'what merchants receive' } satisfies Record<Direction, string>

/** What both have at a key, `$ref`s followed. */
export const pairAt = ({ released, current }: ComparedPlaces, key: string): ComparedPlaces => ({
  released: child(released, key),
  current: child(current, key),
})
/** Every key of the two, with what both have there. */
export const pairsIn = (pair: ComparedPlaces): [string, ComparedPlaces][] =>
  [...new Set([...Object.keys(objectOf(pair.released.node)), ...Object.keys(objectOf(pair.current.node))])].map(
    (key) => [key, pairAt(pair, key)],
  )

/** What is found by the same key in both, or in one of them. */
export const matched = (
  released: ReadonlyMap<string, SchemaLocation>,
  current: ReadonlyMap<string, SchemaLocation>,
): readonly (readonly [key: string, released: SchemaLocation | undefined, current: SchemaLocation | undefined])[] =>
  [...new Set([...released.keys(), ...current.keys()])].map((key) => [key, released.get(key), current.get(key)])

/** What is written at a key of a place. */
export const valueOf = (place: SchemaLocation, key: string): Json | undefined => objectOf(place.node)[key]
/** A value in the words of a report. */
export const shown = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

/** One change at a place, of a level that its rule names. */
export function sighting(
  level: Level,
  place: SchemaLocation,
  what: string,
  { operation, subject }: Pick<Context, 'operation' | 'subject'>,
): DetectedChange {
  return { level, where: fileOf(place.pointer), what, subject, ...(operation && { operation }) }
}

/** One change of what a schema allows: its level follows from who writes the value. */
export const effect = (how: Effect, place: SchemaLocation, what: string, context: Context): DetectedChange => ({
  ...sighting(
    levelOf(context.direction, how),
    place,
    `${what}: ${how === 'other' ? 'another form' : how} for ${whom[context.direction]}`,
    context,
  ),
  effect: { how, direction: context.direction, told: what },
})

/** `required`, which narrows what may be sent. @param called what has it */
export const compareRequired = (
  was: boolean,
  is: boolean,
  place: SchemaLocation,
  called: string,
  context: Context,
): DetectedChange[] =>
  was === is
    ? []
    : [effect(is ? 'narrower' : 'wider', place, `${called} is ${is ? 'now required' : 'no longer required'}`, context)]

/**
 * Every key that no rule has handled: texts are a patch, and what no rule knows is taken for breaking, so that nothing
 * passes unseen.
 */
export function rest(
  { released, current }: ComparedPlaces,
  handled: readonly string[],
  context: Context,
): DetectedChange[] {
  const changed = pairsIn({ released, current })
    .map(([key]) => key)
    .filter((key) => !handled.includes(key) && !sameJson(valueOf(released, key), valueOf(current, key)))
  return changed.map((key) =>
    isText(key)
      ? sighting('patch', child(current, key), `\`${key}\` has another text`, { subject: context.subject })
      : sighting(
          'major',
          child(current, key),
          `\`${key}\` goes from ${shown(valueOf(released, key))} to ${shown(valueOf(current, key))}, and no rule says what that does`,
          context,
        ),
  )
}

/** What is going to go away is announced. */
export function compareDeprecated({ released, current }: ComparedPlaces, context: Context): DetectedChange[] {
  const [before, after] = [valueOf(released, 'deprecated') ?? false, valueOf(current, 'deprecated') ?? false]
  return before === after
    ? []
    : [
        sighting(
          'minor',
          child(current, 'deprecated'),
          `is ${after === true ? 'deprecated' : 'no longer deprecated'}`,
          context,
        ),
      ]
}
