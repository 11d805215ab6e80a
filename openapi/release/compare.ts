import { merged, type Change, type Direction, type DetectedChange } from './change.ts'
import { listOf, objectOf, sameJson, textOf, type Json } from '../reading/json.ts'
import { compareOperation, operationsOf } from './operation.ts'
import { child, children, descendant, rootOf, type SchemaLocation } from '../reading/places.ts'
import { matched, pairAt, pairsIn, rest, sighting, valueOf, type ComparedPlaces } from './sight.ts'

/** What a merchant's program or people would notice between two bundled contracts, gravest first. */
export const compareContracts = (released: Json, current: Json): Change[] => merged(sightingsBetween(released, current))

/**
 * Each change at each of its uses. Shared files are compared once per use: the same narrower schema breaks requests and
 * harms no reply.
 */
export function sightingsBetween(released: Json, current: Json): DetectedChange[] {
  const pair = { released: rootOf(released), current: rootOf(current) }
  return [
    ...comparePaths(pairAt(pair, 'paths'), 'sent', 'path'),
    ...comparePaths(pairAt(pair, 'webhooks'), 'received', 'webhook'),
    ...compareKeys(pair),
    ...compareServers(pair),
    ...rest(pair, ['paths', 'webhooks', 'components', 'servers', 'security'], {
      direction: 'sent',
      subject: 'contract',
    }),
  ]
}

/** `sent`: merchants call these. `received`: Malipo calls merchants. */
const comparePaths = (paths: ComparedPlaces, direction: Direction, word: string): DetectedChange[] =>
  compareNamed(paths, word, (pair) => comparePath(pair, direction))

/** Requests that an operation promises to send later: each is a map of URLs, like the paths. */
const compareCallbacks = (operation: ComparedPlaces): DetectedChange[] =>
  compareNamed(pairAt(operation, 'callbacks'), 'callback', (urls) =>
    comparePaths(urls, 'received', 'URL of the callback'),
  )

/** @param compare what is in both */
const compareNamed = (
  pairs: ComparedPlaces,
  word: string,
  compare: (pair: ComparedPlaces) => DetectedChange[],
): DetectedChange[] =>
  pairsIn(pairs).flatMap(([name, pair]) => {
    if (pair.current.node === undefined)
      return [sighting('major', pair.released, `the ${word} \`${name}\` is gone`, { subject: name })]
    if (pair.released.node === undefined)
      return [sighting('minor', pair.current, `the ${word} \`${name}\` is new`, { subject: name })]
    return compare(pair)
  })

function comparePath(pair: ComparedPlaces, direction: Direction): DetectedChange[] {
  const [before, after] = [operationsOf(pair.released), operationsOf(pair.current)]
  const operations = matched(before, after).flatMap(([, released, current]) => {
    if (released && current)
      return [...compareOperation({ released, current }, pair, direction), ...compareCallbacks({ released, current })]
    const place = current ?? released
    if (!place) return []
    const subject = textOf(valueOf(place, 'operationId'))
    return [
      sighting(current ? 'minor' : 'major', place, `the operation ${subject} is ${current ? 'new' : 'gone'}`, {
        subject,
      }),
    ]
  })
  return [
    ...operations,
    ...rest(pair, ['parameters', ...before.keys(), ...after.keys()], { direction, subject: 'path' }),
  ]
}

function compareKeys(pair: ComparedPlaces): DetectedChange[] {
  const schemes = (root: SchemaLocation) => descendant(root, 'components', 'securitySchemes')
  return children(schemes(pair.current)).flatMap(([name, current]) => {
    const released = child(schemes(pair.released), name)
    // A new one matters only where an operation needs it, which is said there.
    return released.node === undefined ? [] : rest({ released, current }, [], { direction: 'sent', subject: name })
  })
}

function compareServers({ released, current }: ComparedPlaces): DetectedChange[] {
  const urls = (root: SchemaLocation) => listOf(valueOf(root, 'servers')).map((server) => textOf(objectOf(server).url))
  const gone = urls(released)
    .filter((url) => !urls(current).includes(url))
    .map((url) => sighting('major', child(current, 'servers'), `the server \`${url}\` is gone`, { subject: url }))
  const fresh = urls(current)
    .filter((url) => !urls(released).includes(url))
    .map((url) => sighting('minor', child(current, 'servers'), `the server \`${url}\` is new`, { subject: url }))
  const same = gone.length + fresh.length === 0 && !sameJson(valueOf(released, 'servers'), valueOf(current, 'servers'))
  return [
    ...gone,
    ...fresh,
    ...(same
      ? [sighting('patch', child(current, 'servers'), '`servers` has another text', { subject: 'servers' })]
      : []),
  ]
}
