import { basename } from 'node:path'
import type { Counterpart } from '../conformance/counterpart.ts'
import type { Rule } from '../conformance/rule.ts'
import { RULES } from '../conformance/rules/index.ts'
import { runRule, wireSubject } from '../conformance/run-rule.ts'
import { ConformanceTable } from '../conformance/table.ts'
import { kindFrom } from '../packaged-kind.ts'
import type { RailKind } from '../rail-kind.ts'
import { bundleOf } from './bundle.ts'

/** The others need a whole gateway with its database: Malipo holds them for the rails of its own tree. */
const HELD: readonly Rule[] = RULES.filter(({ level }) => level !== 'gateway')

/** What the kit found. */
export interface Held {
  readonly lines: readonly string[]
  readonly isKept: boolean
}

/**
 * Holds the bundled rail against the kit's rules, with the operator that its author plays.
 * @param counterparts a file that exports COUNTERPARTS
 * @throws BundleFault, PackageFault, or what the counterparts throw when they load
 */
export async function holdRail(rail: string, counterparts: string): Promise<Held> {
  const kind = await kindFrom(await bundleOf(rail), basename(rail))
  const played = await counterpartsIn(counterparts)
  const subjects = played.map((counterpart) => wireSubject({ ...counterpart, kind }))
  const table = new ConformanceTable(subjects, (rules) => `${kind.title}, held against ${rules} rules:`)
  const faults: string[] = []
  for (const subject of subjects)
    for (const rule of HELD) {
      const result = await runRule(rule, subject)
      table.add(rule, subject, result)
      if (result.result === 'broken') faults.push('', ...faultLines(subject.name, rule, result.error))
    }
  const missing = unplayed(kind, played).map((type) => `✗ no counterpart plays ${type}, which the rail has`)
  const left = RULES.length - HELD.length
  return {
    isKept: faults.length === 0 && missing.length === 0,
    lines: [
      ...table.lines(HELD),
      `   ${left} more rules are about a whole gateway, and are not held here.`,
      ...faults,
      ...missing,
    ],
  }
}

const unplayed = ({ types }: RailKind, played: readonly Counterpart[]) =>
  types.filter((type) => !played.some((each) => each.type === type && each.collectionOf === undefined))

const faultLines = (subject: string, { name, why }: Rule, error: unknown): readonly string[] => [
  `✗ ${subject}: ${name}`,
  `  why it matters: ${why}`,
  ...(error instanceof Error ? error.message : String(error)).split('\n').map((line) => `  ${line}`),
]

async function counterpartsIn(file: string): Promise<readonly Counterpart[]> {
  const source = Buffer.from(await bundleOf(file)).toString('base64')
  const { COUNTERPARTS } = (await import(/* @vite-ignore */ `data:text/javascript;base64,${source}`)) as {
    readonly COUNTERPARTS?: readonly Counterpart[]
  }
  if (COUNTERPARTS === undefined) throw new Error(`${file} exports no COUNTERPARTS`)
  return COUNTERPARTS
}
