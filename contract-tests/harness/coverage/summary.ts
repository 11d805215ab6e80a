import type { Cell, Group } from './cells.ts'

/** Why a cell could not be requested. */
interface UncoveredCell {
  readonly id: string
  readonly reason: string
}

export interface Figures {
  readonly seen: number
  readonly declared: number
}

export interface Coverage extends Figures {
  /** Percentage of requested cells with one decimal, rounded down: 100 means all. */
  readonly percent: number
  readonly groups: Readonly<Record<string, Figures>>
  readonly subjects: readonly SubjectCoverage[]
  /** Cells that this run could not request; they are not counted. */
  readonly notAsked: readonly UncoveredCell[]
}

/** An operation, webhook or redirect. */
export interface SubjectCoverage extends Figures {
  readonly subject: string
  readonly missing: readonly string[]
  readonly found: readonly string[]
}

export interface RunConditions {
  /** Whether the server could be made to fail: only one of our own. */
  readonly failure: boolean
  /** Whether messages of the server were received. */
  readonly receiver: boolean
  /** operationIds: nothing else was requested. Absent: everything. */
  readonly operations?: readonly string[]
}

const REASONS: Readonly<Record<NonNullable<Cell['needs']>, string>> = {
  failure: 'only a server of our own can be brought into this trouble',
  receiver: 'the target has no receiver: its messages did not arrive here',
}

export const GROUPS: readonly Group[] = [
  'statuses',
  'keys',
  'parameters',
  'fields',
  'branches',
  'values',
  'headers',
  'links',
  'examples',
]

/** Declared cells against covered ones. A cell that could not be requested but was covered counts. */
export function summarise(
  all: readonly Cell[],
  seen: ReadonlySet<string>,
  { operations, ...circumstances }: RunConditions,
): Coverage {
  const declared = all.filter(({ subject }) => operations === undefined || operations.includes(subject))
  const isAskable = ({ id, needs }: Cell): boolean => needs === undefined || circumstances[needs] || seen.has(id)
  const requested = declared.filter(isAskable)
  const figures = (cells: readonly Cell[]): Figures => ({
    seen: cells.filter(({ id }) => seen.has(id)).length,
    declared: cells.length,
  })
  const whole = figures(requested)
  return {
    ...whole,
    percent: whole.declared === 0 ? 100 : Math.floor((whole.seen / whole.declared) * 1000) / 10,
    groups: Object.fromEntries(
      GROUPS.map((group) => [group, figures(requested.filter((cell) => cell.group === group))]),
    ),
    subjects: [...new Set(declared.map(({ subject }) => subject))].map((subject) => {
      const own = requested.filter((cell) => cell.subject === subject)
      const nameOf = ({ id }: Cell): string => id.slice(subject.length + 1)
      return {
        subject,
        ...figures(own),
        missing: own.filter(({ id }) => !seen.has(id)).map(nameOf),
        found: own.filter(({ id }) => seen.has(id)).map(nameOf),
      }
    }),
    notAsked: declared.flatMap((cell) =>
      cell.needs === undefined || isAskable(cell) ? [] : [{ id: cell.id, reason: REASONS[cell.needs] }],
    ),
  }
}
