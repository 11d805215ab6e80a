import { EVENT_PATTERNS_FR, EVENTS_FR } from './texts/events-fr.ts'
import { KNOWN_FR, KNOWN_PATTERNS_FR } from './texts/known-fr.ts'
import type { Viewer } from './viewer.ts'

const TEXTS: ReadonlyMap<string, string> = new Map(Object.entries({ ...KNOWN_FR, ...EVENTS_FR }))
const PATTERNS = [...KNOWN_PATTERNS_FR, ...EVENT_PATTERNS_FR]

/** A text that comes from another part in English, in the language of who looks; as it is where it is not known. */
export function known({ language }: Pick<Viewer, 'language'>, text: string): string {
  if (language !== 'fr') return text
  const found = TEXTS.get(text)
  if (found !== undefined) return found
  const [pattern, words = text] = PATTERNS.find(([each]) => each.test(text)) ?? []
  const values = pattern?.exec(text)
  return values
    ? words.replaceAll(/\$(\d)/g, (_whole, nth: string) => known({ language }, values[Number(nth)] ?? ''))
    : text
}
