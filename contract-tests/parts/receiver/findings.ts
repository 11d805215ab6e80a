import type { Finding } from '../../harness/part.ts'
import type { Fault } from './webhook-check.ts'

export interface Findings {
  /** Holds one message or payment against some rules. @param subject what shows it, in a few words */
  hold(about: string, rules: number, faults: readonly Fault[], subject: string, curl?: string): void
  readonly checks: number
  /** Each wrong thing once, whatever the number of messages that show it. */
  list(): readonly Finding[]
}

export function createFindings(): Findings {
  const found = new Map<string, { finding: Finding; subject: string; times: number }>()
  let checks = 0
  return {
    get checks() {
      return checks
    },
    hold(about, rules, faults, subject, curl) {
      checks += rules
      for (const { rule, what } of faults) {
        const key = `${about}: ${rule}`
        const known = found.get(key)
        if (known) known.times += 1
        else found.set(key, { finding: { about, what, ...(curl !== undefined && { curl }) }, subject, times: 1 })
      }
    },
    list: () =>
      [...found.values()].map(({ finding, subject, times }) => ({
        ...finding,
        what: `${finding.what} (${times === 1 ? '' : `${times} times, first: `}${subject})`,
      })),
  }
}
