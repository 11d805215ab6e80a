import { Refusal } from './refusal.ts'

/**
 * Spaces, controls and characters without width; and letters and symbols that show nothing (Hangul fillers, the empty
 * Braille cell).
 */
const BLANKS = /[\s\p{Z}\p{Cc}\p{Cf}\u115F\u1160\u3164\uFFA0\u2800]/gu

/** The description of a payment must not be blank in any script. @throws Refusal `invalid_description` */
export function checkDescription(description: string): void {
  if (description.replaceAll(BLANKS, '') === '') throw new Refusal('invalid_field', 'description must not be blank')
}

/**
 * Bidirectional controls (embeddings, overrides, isolates): with them a person reads another text than the one that is
 * stored. Right-to-left scripts need none of them. Joiners (U+200C, U+200D) and marks (U+200E, U+200F) do not belong
 * to them.
 */
const DIRECTION_CONTROL = /[\u202a-\u202e\u2066-\u2069]/

/** The first bidirectional control of a text, as `U+202E`. */
export function directionControlIn(text: string): string | undefined {
  const [found] = DIRECTION_CONTROL.exec(text) ?? []
  return found && codeOf(found)
}

/** Zero-width spaces and joiners, soft hyphens, fillers, marks of direction. */
export const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** The first character of a text that nobody sees, as `U+200B`. */
export function invisibleIn(text: string): string | undefined {
  const [found] = text.match(INVISIBLE) ?? []
  return found && codeOf(found)
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const NAME_MAX = 100

/**
 * What is wrong with the display name of a person, merchant or provider: letters of any script, on one line, without
 * hidden or reordering characters.
 */
export function nameFault(name: string): string | undefined {
  if (name.replaceAll(BLANKS, '') === '' || name.length > NAME_MAX || /\p{Cc}/u.test(name))
    return `must have 1 to ${NAME_MAX} characters, on one line`
  const control = directionControlIn(name)
  return control === undefined ? undefined : `must not contain the control character ${control}`
}

/**
 * @throws Refusal `control_character` naming the first of these fields, in the given order, with a bidirectional
 *   control
 */
export function refuseDirectionControls(fields: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text = ''] of Object.entries(fields)) {
    const control = directionControlIn(text)
    if (control !== undefined)
      throw new Refusal('invalid_field', `${name} must not contain the control character ${control}`)
  }
}
