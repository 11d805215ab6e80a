import type { OpenApiDocument } from '../reading/document.ts'
import type { Json } from '../reading/json.ts'
import type { Entry, Release } from '../release/history.ts'
import { entriesBetween } from '../release/history.ts'
import { newEntries } from '../release/version.ts'
import type { MarkdownPage } from './pages.ts'
import { operationsInOrder } from './places.ts'
import { slugOf } from './slug.ts'

/** The sources of the page. */
export interface ChangelogSources {
  /** CHANGELOG.md: the notes about each change. */
  readonly changelog: string
  /** The last released contract, with its version. */
  readonly released: { readonly version: string; readonly contract: Json }
  /** The changes of earlier releases, newest first. */
  readonly history: readonly Release[]
  readonly current: OpenApiDocument
}

const HEADINGS = { added: 'Added', changed: 'Changed', removed: 'Removed' } satisfies Record<Entry['kind'], string>
const KINDS = Object.keys(HEADINGS) as Entry['kind'][]
const ABOUT =
  'What was added, changed and removed with each release, found by comparing each contract with the one before it.'

/** The changes for integrators, release by release. */
export function changelogPage(sources: ChangelogSources): MarkdownPage {
  const { changelog, released, history, current } = sources
  const version = current.info?.version ?? ''
  const link = linker(current)
  const notes = newEntries(changelog, released.version).filter((note) => !isForWorkers(note))
  const entries = entriesBetween(released.contract, current as unknown as Json)
  const latest = entries.length === 0 ? [] : releasePart({ version, entries }, released.version, link, notes)
  return {
    slug: 'changelog',
    title: 'Changelog',
    group: 'Background',
    about: ABOUT,
    markdown: [
      '# Changelog',
      `${ABOUT} What may change within a version of the API, and what never does, stands in [Versioning](versioning.md).`,
      ...latest,
      ...history.flatMap((release, place) => releasePart(release, history[place + 1]?.version, link, [])),
      '',
    ].join('\n\n'),
  }
}

/** Sections for developers of Malipo itself, not for integrators. */
const isForWorkers = (note: string): boolean => note.startsWith('The contract tests')

type Link = (operations: readonly string[]) => string

/** @param since the release before it; undefined for the first */
function releasePart(
  { version, entries }: Release,
  since: string | undefined,
  link: Link,
  notes: readonly string[],
): string[] {
  if (since === undefined)
    return [
      `## ${version}`,
      'The first release.',
      ...entries.map(({ operations }) => `With it came ${link(operations)}.`),
    ]
  const breaking = entries.filter(({ isBreaking }) => isBreaking).length
  return [
    `## ${version}`,
    breaking === 0
      ? `Nothing that works with ${since} breaks.`
      : `${breaking === 1 ? 'One change breaks' : `${breaking} changes break`} what works with ${since}: look for **Breaking**.`,
    ...KINDS.flatMap((kind) => kindPart(kind, entries, link, notes)),
  ]
}

function kindPart(kind: Entry['kind'], entries: readonly Entry[], link: Link, notes: readonly string[]): string[] {
  const reported = entries
    .filter((entry) => entry.kind === kind)
    .map((entry) => ({ entry, note: noteFor(entry, notes), where: link(entry.operations) }))
  if (reported.length === 0) return []
  // Changes of the same operations with the same note are one entry.
  const points = [
    ...Map.groupBy(reported, ({ entry, note, where }) => [entry.isBreaking, note, where].join('\n')).values(),
  ]
  return [
    `### ${HEADINGS[kind]}`,
    points
      .map((point) => {
        const [first] = point
        const names = inOne(point.map(({ entry }) => entry.what))
        const breaking = first?.entry.isBreaking === true ? '**Breaking:** ' : ''
        const note = first?.note === undefined ? '' : `\n\n  ${first.note.replaceAll(/\n\s*/g, '\n  ')}`
        return `- ${breaking}${breaking === '' ? capital(names) : names}: ${first?.where}.${note}`
      })
      .join('\n'),
  ]
}

/** `header A, in most replies` and `header B, in most replies` → `header A, header B, in most replies`. */
function inOne(names: readonly string[]): string {
  const endings = new Set(names.map((name) => /, in .*$/.exec(name)?.[0] ?? ''))
  const [ending = ''] = endings.size === 1 ? endings : ['']
  return names.map((name) => name.slice(0, name.length - ending.length)).join(', ') + ending
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The changelog's note about a change: the first entry that names it; for a removal, one that says so. */
function noteFor({ kind, subjects }: Entry, notes: readonly string[]): string | undefined {
  const placeIn = (note: string): number =>
    Math.min(
      ...subjects.map((subject) => note.indexOf(`\`${subject}\``)).map((place) => (place < 0 ? Infinity : place)),
    )
  const naming = notes.filter((note) => placeIn(note) < Infinity)
  const saying = kind === 'removed' ? naming.filter((note) => /\b(gone|removed)\b/.test(note)) : naming
  const [best] = (saying.length > 0 ? saying : naming).toSorted((one, other) => placeIn(one) - placeIn(other))
  return best === undefined ? undefined : withoutFiles(best.replace(/^\*\*Breaking\*\*:?\s*/, '')).trim()
}

/** Operations by title, each linked to its page. */
function linker(current: OpenApiDocument): Link {
  const operations = operationsInOrder(current)
  const called = operations.filter(({ kind }) => kind === 'operation').map(({ id }) => id)
  const links = new Map(operations.map(({ id, summary }) => [id, `[${summary}](${slugOf(id)}.md)`]))
  return (ids) => {
    const others = ids.filter((id) => !called.includes(id))
    const named = (some: readonly string[]): string => some.map((id) => links.get(id) ?? `\`${id}\``).join(', ')
    if (others.length + called.length > ids.length) return named(ids)
    return ['[every operation](overview.md)', ...(others.length > 0 ? [named(others)] : [])].join(', ')
  }
}

/** Links to files of the repository do not work on the page. */
const withoutFiles = (text: string): string => text.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
