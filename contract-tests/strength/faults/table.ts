import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { GROUPS, type Fault } from './fault.ts'
import type { Outcome } from './run.ts'

const MARKS = { killed: 'X', survived: '.', 'no verdict': 'E' } as const
const STRENGTH: readonly Outcome['verdict'][] = ['killed', 'survived', 'no verdict']
/** Found by another part already, or not run yet. */
const NOT_REQUESTED = ' '
const OUT_OF_SIGHT = '-'

export interface Drill {
  readonly seed: number
  /** With the names of the faults that it could see at all. */
  readonly parts: readonly { readonly name: string; readonly sees: readonly string[] }[]
  readonly faults: readonly Fault[]
  readonly outcomes: readonly Outcome[]
}

export interface Totals {
  readonly faults: number
  readonly killed: number
  /** Numbers of faults that the part can see, and of those that it ran against. */
  readonly perPart: Readonly<
    Record<
      string,
      { readonly killed: number; readonly noVerdict: number; readonly asked: number; readonly sees: number }
    >
  >
  /** Every part that can see it, or every chosen one, ran and did not find it. */
  readonly survivors: readonly string[]
  /** In a drill that has not ended. */
  readonly notAsked: readonly string[]
}

/** One per fault and part: the watch runs with each part, and has found a fault when it did so once. */
function strongest(outcomes: readonly Outcome[]): readonly Outcome[] {
  const found = new Map<string, Outcome>()
  for (const outcome of outcomes) {
    const key = `${outcome.fault} ${outcome.part}`
    const before = found.get(key)
    if (!before || STRENGTH.indexOf(outcome.verdict) < STRENGTH.indexOf(before.verdict)) found.set(key, outcome)
  }
  return [...found.values()]
}

export function totalsOf({ parts, faults, outcomes }: Drill): Totals {
  const names = new Set(faults.map(({ name }) => name))
  const requested = strongest(outcomes).filter(({ fault }) => names.has(fault))
  const killed = new Set(requested.filter(({ verdict }) => verdict === 'killed').map(({ fault }) => fault))
  const isOpen = (fault: string): boolean =>
    !killed.has(fault) &&
    parts.some(
      ({ name, sees }) =>
        sees.includes(fault) && !requested.some((outcome) => outcome.fault === fault && outcome.part === name),
    )
  const of = ({ name, sees }: Drill['parts'][number]) => {
    const own = requested.filter(({ part }) => part === name)
    const count = (verdict: Outcome['verdict']) => own.filter((outcome) => outcome.verdict === verdict).length
    return { killed: count('killed'), noVerdict: count('no verdict'), asked: own.length, sees: sees.length }
  }
  const notFound = faults.filter(({ name }) => !killed.has(name)).map(({ name }) => name)
  return {
    faults: faults.length,
    killed: killed.size,
    perPart: Object.fromEntries(parts.map((part) => [part.name, of(part)])),
    survivors: notFound.filter((name) => !isOpen(name)),
    notAsked: notFound.filter(isOpen),
  }
}

/** Which part finds which fault. */
export function tableText(drill: Drill): string {
  const { parts, faults, seed } = drill
  const outcomes = strongest(drill.outcomes)
  const width = Math.max(...faults.map(({ name }) => name.length))
  const outcomeOf = (part: string, fault: string) =>
    outcomes.find((outcome) => outcome.part === part && outcome.fault === fault)
  const marks = (fault: string) =>
    parts
      .map(({ name, sees }) => {
        const outcome = outcomeOf(name, fault)
        const unseen = sees.includes(fault) ? NOT_REQUESTED : OUT_OF_SIGHT
        return (outcome ? MARKS[outcome.verdict] : unseen).padEnd(name.length + 1)
      })
      .join(' ')
  const lines = GROUPS.flatMap((group) => {
    const own = faults.filter((fault) => fault.group === group)
    return own.length === 0
      ? []
      : ['', group, ...own.map(({ name, what }) => `  ${name.padEnd(width)}  ${marks(name)} ${what}`)]
  })
  const { killed, perPart, survivors, notAsked: notRequested } = totalsOf(drill)
  const percent = (count: number, of: number) => `${of === 0 ? 0 : Math.round((1000 * count) / of) / 10} %`
  return [
    `Planted faults and the parts of the contract tests that find them, seed ${seed}. ${MARKS.killed} found, ${MARKS.survived} not found, ${MARKS['no verdict']} ended without a verdict, ${OUT_OF_SIGHT} cannot be seen by this part, blank not run.`,
    '',
    `  ${' '.repeat(width)}  ${parts.map(({ name }) => name.padEnd(name.length + 1)).join(' ')}`,
    ...lines,
    '',
    ...Object.entries(perPart).map(
      ([part, { killed: own, noVerdict, asked: requested, sees }]) =>
        `${part} alone: ${own} found of ${requested} run${requested < sees ? ` (it can see ${sees})` : ''}: ${percent(own, requested)} of these, ${percent(own, faults.length)} of all ${faults.length}${noVerdict > 0 ? `; ${noVerdict} without a verdict` : ''}`,
    ),
    `all parts: ${killed} of ${faults.length} (${percent(killed, faults.length)})`,
    ...(survivors.length > 0 ? [`not found: ${survivors.join(', ')}`] : []),
    ...(notRequested.length > 0 ? [`not run yet: ${notRequested.length}`] : []),
    '',
  ].join('\n')
}

/** Written atomically: a drill may be killed while it writes. */
export function writeTable(drill: Drill, folder: URL): void {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, text: string): void => {
    const draft = new URL(`${name}.new`, folder)
    writeFileSync(draft, text)
    renameSync(draft, new URL(name, folder))
  }
  write('faults.txt', tableText(drill))
  write('faults.json', `${JSON.stringify({ ...drill, totals: totalsOf(drill) }, undefined, 2)}\n`)
}
