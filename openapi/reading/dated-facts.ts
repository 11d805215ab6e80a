import { listOf, objectOf, textOf, type Json, type JsonObject } from './json.ts'

/** A fact about an operator's API that a rail relies on, with its source. */
export interface DatedFact {
  readonly fact: string
  readonly source: string
  /** When the source was last read, or the fact last observed: `2026-11-26`. */
  readonly date: string
  readonly lastObservedBy: string
}

/** An operator changes its API without a word to us: an older fact is to be looked up again. */
const OLD_AFTER_MONTHS = 6

/**
 * The facts of an operator's document (`x-facts`), each with its source (`x-sources`). A fact with a date of its own was
 * observed later, or earlier, than the rest of its source.
 */
export function datedFacts(document: JsonObject): readonly DatedFact[] {
  const text = (value: Json | undefined): string => (value === undefined ? '' : textOf(value))
  const sources = new Map(listOf(document['x-sources']).map((row) => [text(objectOf(row).source), objectOf(row)]))
  return listOf(document['x-facts']).map((row) => {
    const { fact, source, date } = objectOf(row)
    const { title, date: ofSource, lastObservedBy } = sources.get(text(source)) ?? {}
    return {
      fact: text(fact),
      source: text(title),
      date: text(date ?? ofSource),
      lastObservedBy: text(lastObservedBy),
    }
  })
}

/** Whether a fact was last observed more than six months ago. */
export function isOld({ date }: Pick<DatedFact, 'date'>, now: Date): boolean {
  const oldFrom = new Date(`${date}T00:00:00Z`)
  oldFrom.setUTCMonth(oldFrom.getUTCMonth() + OLD_AFTER_MONTHS)
  return now > oldFrom
}
