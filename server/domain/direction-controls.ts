import { Refusal } from './refusal.ts'

/**
 * Bidirectional controls (embeddings, overrides, isolates): they make a person read another text than the one that is
 * stored. Letters of right-to-left scripts need none of them, and joiners (U+200C, U+200D) and marks (U+200E, U+200F) are
 * none of them.
 */
const DIRECTION_CONTROL = /[\u202a-\u202e\u2066-\u2069]/

/** The first bidirectional control of a text, as `U+202E`. */
export function directionControlIn(text: string): string | undefined {
  const [found] = DIRECTION_CONTROL.exec(text) ?? []
  return found && `U+${found.charCodeAt(0).toString(16).toUpperCase()}`
}

/** @throws Refusal `control_character` naming the first of these fields, in their order, that has a bidirectional control */
export function refuseDirectionControls(fields: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text = ''] of Object.entries(fields)) {
    const control = directionControlIn(text)
    if (control !== undefined)
      throw new Refusal('control_character', `${name} must not contain the control character ${control}`)
  }
}
