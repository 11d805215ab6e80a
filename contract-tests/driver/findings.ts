import { deviationOf } from '../harness/causes.ts'
import type { Finding } from '../harness/part.ts'

/** Places that are remembered of one defect. */
const PLACES_MAX = 1_000

/** A fault; `rule` is the same for the same defect, whichever message shows it. */
export interface Fault {
  readonly rule: string
  readonly what: string
  /** An overloaded machine can cause it: the payment is played again. */
  readonly timed?: true
}

/** The line that reproduces it, and the payment to play again where that is possible. */
interface Evidence<Payment> {
  readonly scenario?: Payment
  readonly curl: string
}

/** Collects the findings of a part. @param Payment what can be played again */
export interface Findings<Payment = never> {
  /** Checks one message or payment against some rules. @param subject what shows a fault, in a few words */
  hold(about: string, rules: number, faults: readonly Fault[], subject: string, shown?: Evidence<Payment>): void
  readonly checks: number
  /** Each defect once, whatever the number of messages that show it. */
  list(): readonly CountedFinding<Payment>[]
  /** Subject of the rules. */
  rules(): readonly string[]
}

interface CountedFinding<Payment> {
  /** Equal for the same defect. */
  readonly key: string
  readonly finding: Finding
  /** The payment to play again, because the finding depends on time. */
  readonly again: Payment | undefined
}

export function createFindings<Payment = never>(): Findings<Payment> {
  const found = new Map<
    string,
    CountedFinding<Payment> & { readonly subject: string; readonly places: Set<string>; times: number }
  >()
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
        // One rule may be broken by two defects.
        const key = [`${about}: ${rule}`, deviationOf(what)].join(' ').trim()
        const known = found.get(key)
        const finding = { about, what, cause: key, ...(shown && { curl: shown.curl }) }
        if (known) {
          known.times += 1
          if (subject !== known.subject && known.places.size < PLACES_MAX) known.places.add(subject)
        } else {
          const again = timed ? shown?.scenario : undefined
          found.set(key, { key, finding, subject, places: new Set(), times: 1, again })
        }
      }
    },
    list: () =>
      [...found.values()].map(({ key, finding, subject, places, times, again }) => ({
        key,
        again,
        finding: {
          ...finding,
          what: `${finding.what} (${times === 1 ? '' : `${times} times, first: `}${subject})`,
          ...(times > 1 && { times }),
          ...(places.size > 0 && { also: [...places] }),
        },
      })),
    rules: () => [...abouts],
  }
}
