import type { Cell, Group } from './cells.ts'

/** Why a cell was not asked for, in words. */
export interface UncoveredCell {
  readonly id: string
  readonly reason: string
}

export interface Figures {
  readonly seen: number
  readonly declared: number
}

export interface Coverage extends Figures {
  /** Of what was asked for, with one decimal; rounded down, so that 100 means all. */
  readonly percent: number
  readonly groups: Readonly<Record<string, Figures>>
  readonly subjects: readonly SubjectCoverage[]
  /** Cells that this run could not ask for; they count for nothing. */
  readonly notAsked: readonly UncoveredCell[]
}

/** An operation, webhook or redirect. */
export interface SubjectCoverage extends Figures {
  readonly subject: string
  readonly missing: readonly string[]
  readonly found: readonly string[]
}

export interface RunConditions {
  /** Whether the server could be brought into trouble: only one of our own. */
  readonly failure: boolean
  /** Whether what the server sends was seen. */
  readonly receiver: boolean
  /** Ids of operations: nothing else was asked for. Absent: everything. */
  readonly operations?: readonly string[]
}

const REASONS: Readonly<Record<NonNullable<Cell['needs']>, string>> = {
  failure: 'only a server of our own can be brought into this trouble',
  receiver: 'no receiver was told to the target: nobody saw what it sends',
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

/** Declared cells against seen ones. A cell that could not be asked for and was seen all the same counts. */
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
