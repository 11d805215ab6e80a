import type { Finding, PartResult } from './part.ts'

/**
 * Merges findings with one cause: the first one stays, the others become further places. Follow-ups of one refusal
 * fold as well: whatever was sent, the server gave the same operation the same unexpected message.
 */
export function byCause(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(
    merged(Map.groupBy(findings, causeOf)),
    (finding) => refusalOf(finding) ?? causeOf(finding),
  )
  return merged(groups)
}

const merged = (groups: ReadonlyMap<string, readonly Finding[]>): Finding[] =>
  [...groups.values()].map(([first, ...others]) => {
    const also = [
      ...new Set([
        ...(first?.also ?? []),
        ...others.flatMap((each) => [...placeOf(first, each), ...(each.also ?? [])]),
      ]),
    ]
    const finding: Finding = { about: '', what: '', ...first }
    return also.length === 0 ? finding : { ...finding, also }
  })

/** How often a finding's cause was seen. */
export const timesOf = ({ times = 1 }: Finding): number => times

/**
 * Moves findings that their repetition did not show to the others, where the run has seen their cause more than once:
 * only what was seen exactly once may have been an overloaded machine.
 */
export function countedByCause(results: readonly PartResult[]): readonly PartResult[] {
  const times = new Map<string, number>()
  for (const { findings, notReproduced = [] } of results)
    for (const finding of [...findings, ...notReproduced])
      times.set(causeOf(finding), (times.get(causeOf(finding)) ?? 0) + timesOf(finding))
  return results.map((result) => {
    const { true: again = [], false: once = [] } = Object.groupBy(result.notReproduced ?? [], (finding) =>
      (times.get(causeOf(finding)) ?? 0) > 1 ? 'true' : 'false',
    )
    if (again.length === 0) return result
    const told = again.map((finding): Finding => {
      const count = times.get(causeOf(finding)) ?? 0
      return { ...finding, what: `${finding.what} (seen ${count} times in this run, though not when repeated)` }
    })
    return {
      ...result,
      findings: byCause([...result.findings, ...told]),
      notReproduced: once,
      status: 'findings',
    }
  })
}

/** Removes what identifies one case among many: references, times, long numbers, the place in brackets at the end. */
const OF_ONE_PLACE: readonly (readonly [RegExp, string])[] = [
  [/ \([^()]*\)$/, ''],
  [/\b(?=[\w.~-]*\d)[\w.~-]{8,}\b/g, '…'],
  [/\d{4,}/g, '…'],
]

const plain = (text: string): string =>
  OF_ONE_PLACE.reduce((rest, [pattern, other]) => rest.replaceAll(global(pattern), other), text)
const global = (pattern: RegExp): RegExp => (pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`))

const causeOf = ({ cause, about, what }: Finding): string =>
  cause ?? `${plain(`${about}: ${what}`)} ${deviationOf(what)}`

const REFUSAL = /\banswered ([45]\d\d) (?:with )?("(?:[^"\\]|\\.)*")/

/** The unexpected refusal of a finding: a message identifies a defect better than the request that met it. */
function refusalOf({ about, what }: Finding): string | undefined {
  const [, status, message] = REFUSAL.exec(what) ?? []
  return status === undefined || message === undefined ? undefined : `${about} answered ${status} ${plain(message)}`
}

const DIFFERENT =
  /\b(\w+) is (undefined|null|-?[\d.]+|"(?:[^"\\]|\\.)*"), not (undefined|null|-?[\d.]+|"(?:[^"\\]|\\.)*")/

/**
 * The kind of a difference, in a word: one rule may be broken by two defects, such as a charge that is off by a unit
 * in one currency, and missing in another.
 */
export function deviationOf(what: string): string {
  const refusal = refusalOf({ about: '', what })
  if (refusal !== undefined) return refusal.trim()
  const [, , came = '', wanted = ''] = DIFFERENT.exec(what) ?? []
  if (came === '') return ''
  if (came === 'undefined') return 'missing'
  if (came === 'null') return 'null'
  if (wanted === 'undefined') return 'surplus'
  const [is, was] = [Number(came), Number(wanted)]
  if (Number.isNaN(is) || Number.isNaN(was)) return 'another text'
  if (is === 0) return 'zero'
  const difference = Math.abs(is - was)
  if (difference < 0.015 || difference === 1) return 'off by one unit'
  return is < was ? 'less' : 'more'
}

/** Only the part that the first finding does not say. */
function placeOf(first: Finding | undefined, { about, what }: Finding): string[] {
  if (first?.what !== what) return [`${about}: ${what}`]
  return first.about === about ? [] : [about]
}
