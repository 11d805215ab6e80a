import { InvalidArgumentError } from 'commander'
import { printable } from './output.ts'

/** Length in characters, as people count them. */
interface LineLength {
  readonly min: number
  readonly max: number
}

/** U+FFFD replaces bytes from a terminal that are not UTF-8. */
const UNREADABLE = '\ufffd'
/** Invisible characters: zero-width spaces and joiners, soft hyphens, fillers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * A line that staff write and others read years later: a reason, or the name of a movement.
 * @throws InvalidArgumentError
 */
export const parseLine =
  ({ min, max }: LineLength) =>
  (text: string): string => {
    const line = text.trim().normalize('NFC')
    const seen = line.replace(INVISIBLE, '')
    if ([...seen].length < min || [...line].length > max || printable(line) !== line || line.includes(UNREADABLE))
      throw new InvalidArgumentError(`It must have ${min} to ${max} readable characters, on one line.`)
    if (!/[\p{L}\p{N}]/u.test(seen)) throw new InvalidArgumentError('It must have a letter or a digit.')
    return line
  }

/**
 * The same for text that is compared: lines that look alike to people become equal.
 * @throws InvalidArgumentError
 */
export const parseReferenceLine =
  (length: LineLength) =>
  (text: string): string => {
    const [invisible] = text.match(INVISIBLE) ?? []
    if (invisible !== undefined)
      throw new InvalidArgumentError(`It has an invisible character (${codeOf(invisible)}): type it again.`)
    return parseLine(length)(text)
  }

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
