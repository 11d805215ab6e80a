import type { DetectedChange } from './change.ts'
import { listOf, objectOf, stringsOf } from '../reading/json.ts'
import { child, type SchemaLocation } from '../reading/places.ts'
import { sighting, type Context, type ComparedPlaces } from './sight.ts'

/** The alternatives of keys that open an operation; without any of its own, those of the contract. */
function alternativesOf({ node, contract }: SchemaLocation): readonly (readonly string[])[] {
  return listOf(objectOf(node).security ?? objectOf(contract).security).map((each) =>
    Object.entries(objectOf(each))
      .flatMap(([scheme, scopes]) => [scheme, ...stringsOf(scopes).map((scope) => `${scheme}:${scope}`)])
      .toSorted(),
  )
}

/** Whether the keys that were enough still are. */
export function compareSecurity({ released, current }: ComparedPlaces, context: Context): DetectedChange[] {
  const [before, after] = [alternativesOf(released), alternativesOf(current)]
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const open: readonly (readonly string[])[] = [[]]
  const opensWith = (keys: readonly string[]) =>
    (after.length > 0 ? after : open).some((needed) => needed.every((key) => keys.includes(key)))
  const enough = (before.length > 0 ? before : open).every(opensWith)
  const words = (all: readonly (readonly string[])[]) => all.map((keys) => keys.join(' and ')).join(', or ') || 'no key'
  const what = `needs ${words(after)}, not ${words(before)}`
  return [
    sighting(enough ? 'minor' : 'major', child(current, 'security'), what, {
      ...context,
      subject: after.flat().find((key) => !before.flat().includes(key)) ?? context.subject,
    }),
  ]
}
