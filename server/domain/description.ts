import { Refusal } from './refusal.ts'

/**
 * Spaces, controls and characters without width; and letters and symbols that show nothing (Hangul fillers, the empty
 * Braille cell).
 */
const BLANKS = /[\s\p{Z}\p{Cc}\p{Cf}\u115F\u1160\u3164\uFFA0\u2800]/gu

/** The description of a payment must not be blank in any script. @throws Refusal `invalid_description` */
export function checkDescription(description: string): void {
  if (description.replaceAll(BLANKS, '') === '')
    throw new Refusal('invalid_description', 'description must not be blank')
}
