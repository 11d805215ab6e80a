import { readFile, writeFile } from 'node:fs/promises'
import type { Change } from './change.ts'
import { compareContracts } from './compare.ts'
import type { OpenApiDocument } from '../reading/document.ts'
import type { Json } from '../reading/json.ts'
import { operationsOf } from '../reading/operations.ts'
import type { Direction } from './uses.ts'

/** A difference between two releases as people read it, once for all places where it is. */
export interface Entry {
  readonly kind: Change['kind']
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

/** The first release: everything is new. */
export const firstEntries = (contract: Json): Entry[] => [
  { kind: 'added', isBreaking: false, what: 'everything', subjects: [], operations: operationIds(contract) },
]

/** What is different, in the words of people; breaking changes come first. */
export function entriesBetween(released: Json, current: Json): Entry[] {
  const order = operationIds(current)
  const placeOf = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length)
  const entries = [...Map.groupBy(compareContracts(released, current), groupOf).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const operations = unique(group.flatMap(({ uses }) => uses.map(({ operation }) => operation)))
    return [
      {
        kind: first.kind,
        isBreaking: first.level === 'major',
        what: wordsFor(first, group, first.kind === 'removed' ? released : current),
        subjects: first.subjects,
        operations: operations.toSorted((one, other) => placeOf(one) - placeOf(other)),
      },
    ]
  })
  return entries.toSorted((one, other) => rankOf(one) - rankOf(other))
}

const operationIds = (contract: Json): string[] =>
  operationsOf(contract as unknown as OpenApiDocument).map(({ id }) => id)
const unique = (all: readonly string[]): string[] => [...new Set(all)]

/** What makes one entry: the same thing added or removed, or changes of the same thing. */
const groupOf = ({ kind, level, subjects, detail, uses }: Change): string =>
  [kind, level, subjects.join(), ...(kind === 'changed' ? directionsOf(uses) : [detail])].join(' ')
const directionsOf = (uses: Change['uses']): Direction[] =>
  [...new Set(uses.map(({ direction }) => direction))].toSorted()

const PHRASES = {
  sent: { major: 'takes less than before', minor: 'takes more than before' },
  received: { major: 'may bring what it did not before', minor: 'is held to more than before' },
} satisfies Record<Direction, Record<Change['level'], string>>

function wordsFor(first: Change, group: readonly Change[], contract: Json): string {
  if (first.kind !== 'changed') return first.detail + inReplies(first, group, contract)
  const [direction, ...others] = directionsOf(first.uses)
  const phrase = direction === undefined || others.length > 0 ? 'has another form' : PHRASES[direction][first.level]
  const details = unique(group.map(({ detail }) => detail)).join(', ')
  const names = unique(first.uses.map(({ name }) => name))
  const subject = (names.length > 0 ? names : first.subjects).map((name) => `\`${name}\``).join(', ')
  // A bare keyword says little: what its change does is in the phrase.
  return details.startsWith('`') ? `${subject} ${phrase} (${details})` : `${subject} ${details}`
}

const REPLIES_SHOWN_MAX = 4

/** Of a header that only some replies got or lost, which: `, in replies 400 and 409`. */
function inReplies({ detail }: Change, group: readonly Change[], contract: Json): string {
  if (!detail.startsWith('header `')) return ''
  const uses = group.flatMap((change) => change.uses)
  const operations = uses.map(({ operation }) => operation)
  const all = operationsOf(contract as unknown as OpenApiDocument)
    .filter(({ id }) => operations.includes(id))
    .flatMap(({ responses }) => responses.map(({ status }) => status))
  const statuses = unique(uses.flatMap(({ status = [] }) => status)).toSorted((one, other) => one.localeCompare(other))
  if (statuses.length === new Set(all).size) return ''
  return statuses.length > REPLIES_SHOWN_MAX ? ', in most replies' : `, in replies ${statuses.join(', ')}`
}

/** What people look for first: what can be called, then what it takes and brings. */
const ORDER = [/^(path|operation|webhook|callback|event)/, /^field/, /parameter/, /^branch/, /^status/, /^header `/]
function rankOf({ isBreaking, what }: Entry): number {
  const place = ORDER.findIndex((words) => words.test(what))
  return (isBreaking ? 0 : ORDER.length + 1) + (place < 0 ? ORDER.length : place)
}
