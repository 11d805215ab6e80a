import type { Finding } from './part.ts'

/** Merges findings with one cause: the first one stays, the others become further places. */
export function byCause(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, causeOf)
  return [...groups.values()].map(([first, ...others]) => {
    const also = [
      ...new Set([
        ...(first?.also ?? []),
        ...others.flatMap((each) => [...placeOf(first, each), ...(each.also ?? [])]),
      ]),
    ]
    const finding: Finding = { about: '', what: '', ...first }
    return also.length === 0 ? finding : { ...finding, also }
  })
}

/** Removes what identifies one case among many: references, times, long numbers, the place in brackets at the end. */
const OF_ONE_PLACE: readonly (readonly [RegExp, string])[] = [
  [/ \([^()]*\)$/, ''],
  [/\b(?=[\w.~-]*\d)[\w.~-]{8,}\b/g, '…'],
  [/\d{4,}/g, '…'],
]

const causeOf = ({ cause, about, what }: Finding): string =>
  cause ?? OF_ONE_PLACE.reduce((text, [pattern, other]) => text.replaceAll(global(pattern), other), `${about}: ${what}`)
const global = (pattern: RegExp): RegExp => (pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`))

/** Only the part that the first finding does not say. */
function placeOf(first: Finding | undefined, { about, what }: Finding): string[] {
  if (first?.what !== what) return [`${about}: ${what}`]
  return first.about === about ? [] : [about]
}
