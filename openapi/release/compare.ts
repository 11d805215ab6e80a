import { merged, type Change, type Direction, type Sighting } from './change.ts'
import { listOf, objectOf, sameJson, textOf, type Json } from '../reading/json.ts'
import { compareOperation, operationsOf } from './operation.ts'
import { child, children, descendant, rootOf, type Place } from '../reading/places.ts'
import { pairAt, rest, sighting, valueOf, type Pair } from './sight.ts'

/**
 * What a merchant's program or people would notice between two bundled contracts, gravest first. Shared files are
 * compared once per use: the same narrower schema breaks requests and harms no reply.
 */
export function compareContracts(released: Json, current: Json): Change[] {
  const pair = { released: rootOf(released), current: rootOf(current) }
  return merged([
    ...comparePaths(pairAt(pair, 'paths'), 'sent', 'path'),
    ...comparePaths(pairAt(pair, 'webhooks'), 'received', 'webhook'),
    ...compareKeys(pair),
    ...compareServers(pair),
    ...rest(pair, ['paths', 'webhooks', 'components', 'servers', 'security'], {
      direction: 'sent',
      subject: 'contract',
    }),
  ])
}

/** `sent`: merchants call these. `received`: Malipo calls merchants. */
function comparePaths(pair: Pair, direction: Direction, word: string): Sighting[] {
  return [
    ...new Set([...Object.keys(objectOf(pair.released.node)), ...Object.keys(objectOf(pair.current.node))]),
  ].flatMap((name) => {
    const path = pairAt(pair, name)
    if (path.current.node === undefined)
      return [sighting('major', path.released, `the ${word} \`${name}\` is gone`, { subject: name })]
    if (path.released.node === undefined)
      return [sighting('minor', path.current, `the ${word} \`${name}\` is new`, { subject: name })]
    return comparePath(path, direction)
  })
}

function comparePath(pair: Pair, direction: Direction): Sighting[] {
  const [before, after] = [operationsOf(pair.released), operationsOf(pair.current)]
  const operations = [...new Set([...before.keys(), ...after.keys()])].flatMap((method) => {
    const [released, current] = [before.get(method), after.get(method)]
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

/** Requests that an operation promises to send later: each is a map of URLs, like the paths. */
function compareCallbacks(pair: Pair): Sighting[] {
  const callbacks = pairAt(pair, 'callbacks')
  return [
    ...new Set([...Object.keys(objectOf(callbacks.released.node)), ...Object.keys(objectOf(callbacks.current.node))]),
  ].flatMap((name) => {
    const callback = pairAt(callbacks, name)
    if (callback.current.node === undefined)
      return [sighting('major', callback.released, `the callback \`${name}\` is gone`, { subject: name })]
    if (callback.released.node === undefined)
      return [sighting('minor', callback.current, `the callback \`${name}\` is new`, { subject: name })]
    return comparePaths(callback, 'received', 'URL of the callback')
  })
}

function compareKeys(pair: Pair): Sighting[] {
  const schemes = (root: Place) => descendant(root, 'components', 'securitySchemes')
  return children(schemes(pair.current)).flatMap(([name, current]) => {
    const released = child(schemes(pair.released), name)
    // A new one matters only where an operation needs it, which is said there.
    return released.node === undefined ? [] : rest({ released, current }, [], { direction: 'sent', subject: name })
  })
}

function compareServers({ released, current }: Pair): Sighting[] {
  const urls = (root: Place) => listOf(valueOf(root, 'servers')).map((server) => textOf(objectOf(server).url))
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
