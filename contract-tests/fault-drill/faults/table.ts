import { mkdir, writeFile } from 'node:fs/promises'
import { GROUPS, type Fault } from './fault.ts'
import type { Outcome } from './run.ts'

const MARKS = { killed: 'X', survived: '.', 'no verdict': 'E' } as const
/** Not asked: out of its reach, or found by another part already. */
const NOT_ASKED = ' '

export interface Drill {
  readonly seed: number
  readonly parts: readonly string[]
  readonly faults: readonly Fault[]
  readonly outcomes: readonly Outcome[]
}

export interface Totals {
  readonly faults: number
  readonly killed: number
  /** Of all faults, and of those that the part can see. */
  readonly perPart: Readonly<Record<string, { readonly killed: number; readonly noVerdict: number; readonly asked: number }>>
  readonly survivors: readonly string[]
}

export function totalsOf({ parts, faults, outcomes }: Drill): Totals {
  const killed = new Set(outcomes.filter(({ verdict }) => verdict === 'killed').map(({ fault }) => fault))
  const of = (part: string) => {
    const own = outcomes.filter((outcome) => outcome.part === part && outcome.fault !== 'none')
    const count = (verdict: Outcome['verdict']) => own.filter((outcome) => outcome.verdict === verdict).length
    return { killed: count('killed'), noVerdict: count('no verdict'), asked: own.length }
  }
  return { faults: faults.length, killed: killed.size, perPart: Object.fromEntries(parts.map((part) => [part, of(part)])), survivors: faults.filter(({ name }) => !killed.has(name)).map(({ name }) => name) }
}

/** Which part finds which fault. */
export function tableText(drill: Drill): string {
  const { parts, faults, outcomes, seed } = drill
  const width = Math.max(...faults.map(({ name }) => name.length))
  const outcomeOf = (part: string, fault: string) => outcomes.find((outcome) => outcome.part === part && outcome.fault === fault)
  const marks = (fault: string) => parts.map((part) => {
    const outcome = outcomeOf(part, fault)
    return (outcome ? MARKS[outcome.verdict] : NOT_ASKED).padEnd(part.length + 1)
  }).join(' ')
  const lines = GROUPS.flatMap((group) => {
    const own = faults.filter((fault) => fault.group === group)
    return own.length === 0 ? [] : ['', group, ...own.map(({ name, what }) => `  ${name.padEnd(width)}  ${marks(name)} ${what}`)]
  })
  const { killed, perPart, survivors } = totalsOf(drill)
  const percent = (count: number, of: number) => `${of === 0 ? 0 : Math.round((1000 * count) / of) / 10} %`
  return [
    `Planted faults and the parts of the contract tests that find them, seed ${seed}. ${MARKS.killed} found, ${MARKS.survived} not found, ${MARKS['no verdict']} ended without a verdict, blank not asked.`,
    '', `  ${' '.repeat(width)}  ${parts.map((part) => part.padEnd(part.length + 1)).join(' ')}`, ...lines, '',
    ...Object.entries(perPart).map(([part, { killed: own, noVerdict, asked }]) => `${part}: ${own} found of ${asked} asked (${percent(own, asked)}), ${percent(own, faults.length)} of all${noVerdict > 0 ? `, ${noVerdict} without a verdict` : ''}`),
    `all parts: ${killed} of ${faults.length} (${percent(killed, faults.length)})`,
    ...(survivors.length > 0 ? [`not found: ${survivors.join(', ')}`] : []), '',
  ].join('\n')
}

export async function writeTable(drill: Drill, folder: URL): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('faults.txt', folder), tableText(drill))
  await writeFile(new URL('faults.json', folder), `${JSON.stringify({ ...drill, totals: totalsOf(drill) }, undefined, 2)}\n`)
}
