/** By semantic versioning: `major` breaks merchants' programs, `minor` gives them something new, `patch` is text. */
export type Level = 'major' | 'minor' | 'patch'

/** Something that merchants or people would notice. */
export interface Change {
  readonly level: Level
  /** The file of `openapi/` with the place inside it. */
  readonly where: string
  /** What was changed, for whom, and in which operations. */
  readonly what: string
  /** Its fields, parameters, statuses and values by name. An entry of the changelog has one of them in it. */
  readonly subjects: readonly string[]
}

/**
 * Who writes what a schema describes: `sent` by merchants (requests, replies to callbacks), `received` by them
 * (replies, callbacks).
 */
export type Direction = 'sent' | 'received'

/** What a change does to the set of values that a schema allows; `other` when nobody can tell. */
export type Effect = 'narrower' | 'wider' | 'other'

/** A narrower request refuses what was accepted; a wider reply brings what no program of a merchant expects. */
const levels = {
  sent: { narrower: 'major', wider: 'minor', other: 'major' },
  received: { narrower: 'minor', wider: 'major', other: 'major' },
} satisfies Record<Direction, Record<Effect, Level>>

/** How grave a change of what a schema allows is. */
export const levelOf = (direction: Direction, effect: Effect): Level => levels[direction][effect]

const ranks = { patch: 1, minor: 2, major: 3 } satisfies Record<Level, number>
/** Greater is graver. */
export const rankOf = (level: Level): number => ranks[level]

/** A change as one use of a shared file shows it. */
export interface DetectedChange extends Pick<Change, 'level' | 'where' | 'what'> {
  readonly subject: string
  readonly operation?: string
  /** Of a change of what a schema allows: what it does and to whom, and its words without that. */
  readonly effect?: { readonly how: Effect; readonly direction: Direction; readonly told: string }
}

const SHOWN_MAX = 3

/** One change per place and rule, gravest first, with the names and operations that show it. */
export function merged(sightings: readonly DetectedChange[]): Change[] {
  const groups = Object.values(Object.groupBy(sightings, ({ level, where, what }) => `${level} ${where} ${what}`))
  return groups
    .flatMap((group = []) =>
      group.slice(0, 1).map(({ level, where, what }) => {
        const subjects = unique(group.map(({ subject }) => subject))
        const uses = unique(
          group.flatMap(({ subject, operation }) =>
            operation ? [subject === operation ? operation : `${subject} in ${operation}`] : [],
          ),
        )
        const more = uses.length > SHOWN_MAX ? ` and ${uses.length - SHOWN_MAX} more` : ''
        return {
          level,
          where,
          what: uses.length > 0 ? `${what} (${uses.slice(0, SHOWN_MAX).join(', ')}${more})` : what,
          subjects,
        }
      }),
    )
    .toSorted((one, other) => rankOf(other.level) - rankOf(one.level) || one.where.localeCompare(other.where))
}

const unique = (all: readonly string[]): string[] => [...new Set(all)]
