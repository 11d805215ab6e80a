import type { Finding } from '../../harness/part.ts'
import type { Scenario } from './scenario.ts'
import type { Fault } from './webhook-check.ts'

/** The line that makes it again, and the payment that shows it where it can be played again. */
export interface Evidence {
  readonly scenario?: Scenario
  readonly curl: string
}

export interface Findings {
  /** Holds one message or payment against some rules. @param subject what shows it, in a few words */
  hold(about: string, rules: number, faults: readonly Fault[], subject: string, shown?: Evidence): void
  readonly checks: number
  /** Each wrong thing once, whatever the number of messages that show it. */
  list(): readonly ReceiverFinding[]
  /** What the rules are about. */
  rules(): readonly string[]
}

export interface ReceiverFinding {
  /** The same for the same wrong thing. */
  readonly key: string
  readonly finding: Finding
  /** To be played again, because it depends on time. */
  readonly again: Scenario | undefined
}

export function createFindings(): Findings {
  const found = new Map<string, ReceiverFinding & { readonly subject: string; times: number }>()
  const abouts = new Set<string>()
  let checks = 0
  return {
    get checks() {
      return checks
    },
    hold(about, rules, faults, subject, shown) {
      checks += rules
      if (rules > 0) abouts.add(about)
      for (const { rule, what, timed } of faults) {
        const key = `${about}: ${rule}`
        const known = found.get(key)
        const finding = { about, what, cause: key, ...(shown && { curl: shown.curl }) }
        if (known) known.times += 1
        else found.set(key, { key, finding, subject, times: 1, again: timed ? shown?.scenario : undefined })
      }
    },
    list: () =>
      [...found.values()].map(({ key, finding, subject, times, again }) => ({
        key,
        again,
        finding: { ...finding, what: `${finding.what} (${times === 1 ? '' : `${times} times, first: `}${subject})` },
      })),
    rules: () => [...abouts],
  }
}
