import type { Use } from './uses.ts'

/** By semantic versioning: `major` breaks merchants' programs, `minor` gives them something new, `patch` is text. */
export type Level = 'major' | 'minor' | 'patch'

const ranks = { patch: 1, minor: 2, major: 3 } satisfies Record<Level, number>
/** Greater is graver. */
export const rankOf = (level: Level): number => ranks[level]

/** Something that merchants' programs would notice between two contracts. */
export interface Change {
  readonly level: Exclude<Level, 'patch'>
  readonly kind: 'added' | 'changed' | 'removed'
  /** The file of `openapi/` with the place inside it. */
  readonly where: string
  /** For who works on the contract. */
  readonly what: string
  /** What was added or removed: ``field `colour` ``. Of a change: the keyword, or the words for people. */
  readonly detail: string
  /** Its fields, parameters, statuses and values by name. An entry of the changelog has one of them in it. */
  readonly subjects: readonly string[]
  /** The uses of the place that changed. */
  readonly uses: readonly Use[]
}
