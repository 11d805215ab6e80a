import type { Direction, DetectedChange } from './change.ts'
import { objectOf, textOf } from '../reading/json.ts'
import { compareBody, compareResponses, compareValue } from './message.ts'
import { child, children, type SchemaLocation } from '../reading/places.ts'
import { compareSecurity } from './security.ts'
import {
  compareDeprecated,
  matched,
  pairAt,
  rest,
  shown,
  sighting,
  valueOf,
  type Context,
  type ComparedPlaces,
} from './sight.ts'

const opposite = { sent: 'received', received: 'sent' } satisfies Record<Direction, Direction>

/** What changed in one operation; `direction` is that of its request. `shared` are the parameters of its path. */
export function compareOperation(pair: ComparedPlaces, shared: ComparedPlaces, direction: Direction): DetectedChange[] {
  const operation = textOf(valueOf(pair.released, 'operationId') ?? '')
  const context = { direction, operation, subject: operation }
  return [
    ...compareName(pair, context),
    ...compareParameters(pair, shared, context),
    ...compareBody(pairAt(pair, 'requestBody'), context),
    ...compareResponses(pairAt(pair, 'responses'), { ...context, direction: opposite[direction] }),
    ...compareDeprecated(pair, context),
    ...compareSecurity(pair, context),
    ...rest(
      pair,
      ['operationId', 'parameters', 'requestBody', 'responses', 'security', 'callbacks', 'deprecated'],
      context,
    ),
  ]
}

function compareName({ released, current }: ComparedPlaces, context: Context): DetectedChange[] {
  const [before, after] = [valueOf(released, 'operationId'), valueOf(current, 'operationId')]
  if (before === after) return []
  return [
    sighting(
      'major',
      child(current, 'operationId'),
      `the operation is called ${shown(after)}, not ${shown(before)}: generated clients name their methods after it`,
      context,
    ),
  ]
}

/** Parameters by place and name; names of headers have no case. */
function parametersOf(operation: SchemaLocation, path: SchemaLocation): ReadonlyMap<string, SchemaLocation> {
  const all = [...children(child(path, 'parameters')), ...children(child(operation, 'parameters'))].map(
    ([, place]) => place,
  )
  return new Map(
    all.map((place) => {
      const [where, name] = [textOf(valueOf(place, 'in')), textOf(valueOf(place, 'name'))]
      return [`${where} ${where === 'header' ? name.toLowerCase() : name}`, place]
    }),
  )
}

function compareParameters(pair: ComparedPlaces, shared: ComparedPlaces, context: Context): DetectedChange[] {
  const [before, after] = [parametersOf(pair.released, shared.released), parametersOf(pair.current, shared.current)]
  return matched(before, after).flatMap(([key, released, current]) => {
    const named = { ...context, subject: key.slice(key.indexOf(' ') + 1) }
    const called = `${key.replace(' ', ' parameter `')}\``
    if (released && current)
      return compareValue(
        { released, current },
        ['name', 'in', 'required', 'schema', 'content', 'deprecated'],
        named,
        `the ${called}`,
      )
    if (released) return [sighting('major', child(pair.released, 'parameters'), `the ${called} is gone`, named)]
    if (!current) return []
    const required = valueOf(current, 'required') === true && context.direction === 'sent'
    const what = `the ${required ? 'required ' : ''}${called} is new`
    return [sighting(required ? 'major' : 'minor', current, what, named)]
  })
}

/** The methods of a path, with their operations. */
export const operationsOf = (path: SchemaLocation): ReadonlyMap<string, SchemaLocation> =>
  new Map(children(path).filter(([, { node }]) => 'operationId' in objectOf(node)))
