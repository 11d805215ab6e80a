import { readFile, writeFile } from 'node:fs/promises'
import type { Direction, Effect, DetectedChange } from './change.ts'
import { sightingsBetween } from './compare.ts'
import type { OpenApiDocument } from '../reading/document.ts'
import type { Json } from '../reading/json.ts'
import { operationsOf } from '../reading/operations.ts'

/** A difference between two releases as people read it, told once for all places where it is. */
export interface Entry {
  readonly kind: 'added' | 'changed' | 'removed'
  /** Programs that were right before may be wrong now. */
  readonly isBreaking: boolean
  /** Markdown, without a full stop: ``field `failure_code` ``. */
  readonly what: string
  /** The names of what it is about, as the changelog quotes them. */
  readonly subjects: readonly string[]
  /** `operationId`s, in the order of the contract. */
  readonly operations: readonly string[]
}

/** A release and what it brought. */
export interface Release {
  readonly version: string
  readonly entries: readonly Entry[]
}

const HISTORY = new URL('history.json', import.meta.url)

/** At a release: what it brought stays known when its contract takes the place of the one before. */
export async function addToHistory(release: Release): Promise<void> {
  const before = JSON.parse(await readFile(HISTORY, 'utf8')) as readonly Release[]
  await writeFile(HISTORY, `${JSON.stringify([release, ...before], null, 1)}\n`)
}

/** What is different, in the words of people; texts and examples aside. */
export function entriesBetween(released: Json, current: Json): Entry[] {
  const order = new Map(operationIds(current).map((id, place) => [id, place]))
  const placeOf = (id: string): number => order.get(id) ?? order.size
  const sightings = sightingsBetween(released, current).filter(({ level }) => level !== 'patch')
  const byOperations = (sighting: DetectedChange): readonly string[] =>
    sighting.operation === undefined ? operationsAt(sighting, released, current) : [sighting.operation]
  const entries = [...Map.groupBy(sightings, groupOf)].flatMap(([, group]) => {
    const [first] = group
    if (first === undefined) return []
    const { kind, what } = wordsFor(first, group)
    const operations = unique(group.flatMap(byOperations)).toSorted((one, other) => placeOf(one) - placeOf(other))
    return [
      {
        kind,
        isBreaking: group.some(({ level }) => level === 'major'),
        what: what + inReplies(first, operations, kind === 'removed' ? [released, current] : [current, released]),
        subjects: [first.subject],
        operations,
      },
    ]
  })
  return reported(entries)
}

/** The first release: everything is new. */
export const firstEntries = (contract: Json): Entry[] => [
  { kind: 'added', isBreaking: false, what: 'everything', subjects: [], operations: operationIds(contract) },
]

const operationIds = (contract: Json): string[] =>
  operationsOf(contract as unknown as OpenApiDocument).map(({ id }) => id)
const unique = (all: readonly string[]): string[] => [...new Set(all)]

/** A path that is new or gone has its operations with it. */
const operationsAt = ({ subject }: DetectedChange, released: Json, current: Json): readonly string[] =>
  [current, released]
    .map((contract) => operationsOf(contract as unknown as OpenApiDocument).filter(({ path }) => path === subject))
    .find((operations) => operations.length > 0)
    ?.map(({ id }) => id) ?? []

const REPLIES_SHOWN_MAX = 4

/**
 * Of a header that only some replies got or lost, which: `, in replies 400 and 409`.
 *
 * @param contracts the one that has it there, then the one that has it not
 */
function inReplies(
  { what, subject }: DetectedChange,
  operations: readonly string[],
  contracts: readonly [Json, Json],
): string {
  if (!what.startsWith('the header `')) return ''
  const [having, lacking] = contracts.map((contract) => statusesWith(contract, operations, subject))
  const differing = [...(having?.withIt ?? [])].filter((status) => lacking?.withIt.has(status) !== true)
  if (differing.length === having?.all.size || differing.length === 0) return ''
  const inOrder = differing.toSorted((one, other) => one.localeCompare(other))
  return differing.length > REPLIES_SHOWN_MAX ? ', in most replies' : `, in replies ${inOrder.join(', ')}`
}

function statusesWith(contract: Json, operations: readonly string[], header: string) {
  const responses = operationsOf(contract as unknown as OpenApiDocument)
    .filter(({ id }) => operations.includes(id))
    .flatMap(({ responses: each }) => each)
  const withIt = responses.filter(({ headers }) => headers.some(({ name }) => name === header))
  return { all: new Set(responses.map(({ status }) => status)), withIt: new Set(withIt.map(({ status }) => status)) }
}

/** What is told in one: the same words, or the same effect on the same field. */
const groupOf = ({ what, subject, effect, level }: DetectedChange): string =>
  effect === undefined ? `${level} ${what} ${subject}` : `${level} ${effect.how} ${effect.direction} ${subject}`

const PHRASES = {
  sent: {
    narrower: 'takes less than before',
    wider: 'takes more than before',
    other: 'takes another form than before',
  },
  received: {
    narrower: 'is held to more than before',
    wider: 'may bring what it did not before',
    other: 'has another form than before',
  },
} satisfies Record<Direction, Record<Effect, string>>

function wordsFor(first: DetectedChange, group: readonly DetectedChange[]): Pick<Entry, 'kind' | 'what'> {
  const [, name, how] = /^the (.+) is (new|gone)$/.exec(first.what) ?? []
  if (name !== undefined) return { kind: how === 'new' ? 'added' : 'removed', what: name }
  if (first.effect === undefined) return { kind: 'changed', what: `\`${first.subject}\`: ${first.what}` }
  const { how: effect, direction } = first.effect
  // From a pattern to another one is nothing that people can read.
  const details = unique(
    group.map(({ effect: each }) => /^(`\w+`) goes from /.exec(each?.told ?? '')?.[1] ?? each?.told ?? ''),
  )
  return { kind: 'changed', what: `\`${first.subject}\` ${PHRASES[direction][effect]} (${details.join(', ')})` }
}

/** What people look for first: what can be called, then what it takes and brings. */
const ORDER = [
  /^(path|operation|webhook|callback|event)/,
  /^(the new )?field/,
  /parameter/,
  /^branch/,
  /^status/,
  /^header `/,
]
function rankOf({ isBreaking, what }: Entry): number {
  const place = ORDER.findIndex((words) => words.test(what))
  return (isBreaking ? 0 : ORDER.length + 1) + (place < 0 ? ORDER.length : place)
}

/** The same of several operations is one entry; breaking ones come first. */
function reported(entries: readonly Entry[]): Entry[] {
  const groups = Map.groupBy(entries, ({ kind, isBreaking, what }) => `${kind} ${isBreaking} ${what}`)
  return [...groups.values()]
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ ...first, operations: unique([first, ...others].flatMap(({ operations }) => operations)) }],
    )
    .toSorted((one, other) => rankOf(one) - rankOf(other))
}
