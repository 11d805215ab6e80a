import type { Finding } from '../../harness/part.ts'
import type { Breach } from './rules.ts'
import { shellLine } from './shell-line.ts'
import type { WireCase } from './wire-case.ts'

interface GroupedBreach extends Breach {
  readonly cases: [WireCase, ...WireCase[]]
}

export interface Findings {
  note(breach: Breach, wireCase: WireCase): void
  list(): readonly Finding[]
}

/** Whether a case breaks the same rule in the same way when it is repeated. */
type TriesAgain = (wireCase: WireCase, breach: Breach) => Promise<boolean>

const NAMED_MAX = 5

/** Groups breaches: a fault that a hundred cases show is one finding, shown by the first of them. */
export function createFindings(url: URL, secrets: Readonly<Record<string, string>>, triesAgain: TriesAgain): Findings {
  const noted = new Map<string, GroupedBreach>()
  return {
    note(breach, wireCase) {
      const key = keyOf(breach)
      const known = noted.get(key)
      if (known) known.cases.push(wireCase)
      else noted.set(key, { ...breach, cases: [wireCase] })
    },
    list: () => [...noted.values()].map(findingOf),
  }

  function findingOf({ cases, ...breach }: GroupedBreach): Finding {
    const { rule, what, more: detail, timed } = breach
    const all = [...new Set(cases.map(({ name }) => name))]
    const names = all.slice(0, NAMED_MAX).join('; ')
    const others = all.length > NAMED_MAX ? ` and ${all.length - NAMED_MAX} more` : ''
    const [curl] = cases.flatMap((each) => shellLine(url, each, secrets) ?? [])
    return {
      about: rule,
      what: `${what} (${detail === undefined ? '' : `${detail}: `}${names}${others})`,
      cause: `wire: ${keyOf(breach)}`,
      ...(curl !== undefined && { curl }),
      ...(timed && { recurs: () => triesAgain(cases[0], breach) }),
    }
  }
}

export const keyOf = ({ rule, what }: Breach): string => `${rule}\n${what}`
