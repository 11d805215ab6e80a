import type { DetectedChange } from './change.ts'
import { listOf, objectOf, sameJson, textOf } from '../reading/json.ts'
import { child, entry } from '../reading/places.ts'
import { compareSchema } from './schema.ts'
import {
  compareDeprecated,
  compareRequired,
  effect,
  pairAt,
  pairsIn,
  rest,
  shown,
  sighting,
  valueOf,
  type Context,
  type ComparedPlaces,
} from './sight.ts'

const isSuccess = (status: string): boolean => /^[23]/.test(status)

/** A parameter or a header: whether it must be there, and what it holds. */
export function compareValue(
  pair: ComparedPlaces,
  handled: readonly string[],
  context: Context,
  called: string,
): DetectedChange[] {
  const [was, is] = [valueOf(pair.released, 'required') === true, valueOf(pair.current, 'required') === true]
  return [
    ...compareRequired(was, is, child(pair.current, 'required'), called, context),
    ...compareDeprecated(pair, context),
    ...compareText(pairAt(pair, 'schema'), context),
    ...compareContent(pairAt(pair, 'content'), context),
    ...rest(pair, handled, context),
  ]
}

/**
 * What a parameter or a header holds is text on the wire: the number 1 and the text `1` are one value there. Only types
 * that were generated from the contract change, so the changelog has to say it.
 */
function compareText(pair: ComparedPlaces, context: Context): DetectedChange[] {
  const { released, current } = pair
  const [before, after] = [valueOf(released, 'enum'), valueOf(current, 'enum')]
  const isWrittenAlike = sameJson(listOf(before).map(textOf), listOf(after).map(textOf))
  if (listOf(before).length === 0 || !isWrittenAlike || sameJson(before, after)) return compareSchema(pair, context)
  const node = { ...objectOf(current.node), type: valueOf(released, 'type') ?? null, enum: listOf(before) }
  return [
    sighting('minor', current, `${shown(after)} takes the place of ${shown(before)}, and is written alike`, context),
    ...compareSchema({ released, current: { ...current, node } }, context),
  ]
}

/** What changed in the body of a request. */
export function compareBody(pair: ComparedPlaces, context: Context): DetectedChange[] {
  const { released, current } = pair
  if (released.node === undefined && current.node === undefined) return []
  if (current.node === undefined) return [sighting('major', released, 'the request has no body any more', context)]
  if (released.node === undefined) {
    return [
      sighting(
        context.direction === 'sent' && valueOf(current, 'required') === true ? 'major' : 'minor',
        current,
        'the request has a body',
        context,
      ),
    ]
  }
  return compareValue(pair, ['required', 'content'], context, 'the body')
}

function compareContent(pair: ComparedPlaces, context: Context): DetectedChange[] {
  return pairsIn(pair).flatMap(([type, media]) => {
    if (media.current.node === undefined)
      return [sighting('major', media.released, `the media type \`${type}\` is gone`, context)]
    if (media.released.node === undefined)
      return [effect('wider', media.current, `the media type \`${type}\` is new`, context)]
    return [...compareSchema(pairAt(media, 'schema'), context), ...rest(media, ['schema'], context)]
  })
}

/** What changed in the replies to an operation. */
export function compareResponses(pair: ComparedPlaces, context: Context): DetectedChange[] {
  return pairsIn(pair).flatMap(([status, response]) => {
    const named = { ...context, subject: status }
    if (response.released.node !== undefined && response.current.node !== undefined)
      return compareResponse(response, named)
    const isNew = response.released.node === undefined
    const place = isNew ? entry(pair.current, status) : entry(pair.released, status)
    const what = `the status ${status} is ${isNew ? 'new' : 'gone'}`
    // Programs look for the success they know; an error more or less falls into their branch for errors.
    if (context.direction === 'received') return [sighting(isSuccess(status) ? 'major' : 'minor', place, what, named)]
    return [sighting(isNew ? 'minor' : 'major', place, what, named)]
  })
}

function compareResponse(pair: ComparedPlaces, context: Context): DetectedChange[] {
  const headers = pairAt(pair, 'headers')
  return [
    ...compareContent(pairAt(pair, 'content'), context),
    ...pairsIn(headers).flatMap(([name, header]) => {
      const named = { ...context, subject: name }
      // Whoever reads a header that need not be there copes without it already.
      const wasRequired = valueOf(header.released, 'required') === true
      if (header.current.node === undefined)
        return [
          sighting(
            wasRequired ? 'major' : 'minor',
            entry(headers.released, name),
            `the header \`${name}\` is gone`,
            named,
          ),
        ]
      if (header.released.node === undefined)
        return [sighting('minor', entry(headers.current, name), `the header \`${name}\` is new`, named)]
      return compareValue(header, ['required', 'schema', 'content', 'deprecated'], named, `the header \`${name}\``)
    }),
    ...rest(pair, ['content', 'headers'], context),
  ]
}
