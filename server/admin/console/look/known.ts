import { KNOWN_FR, KNOWN_PATTERNS_FR } from './texts/known-fr.ts'
import type { Viewer } from './viewer.ts'

/** A text that comes from another part in English, in the language of who looks; as it is where it is not known. */
export function known({ language }: Pick<Viewer, 'language'>, text: string): string {
  if (language !== 'fr') return text
  if (Object.hasOwn(KNOWN_FR, text)) return KNOWN_FR[text] ?? text
  const [pattern, words = text] = KNOWN_PATTERNS_FR.find(([each]) => each.test(text)) ?? []
  return pattern ? text.replace(pattern, words) : text
}
