import { InvalidArgumentError } from 'commander'
import { INVISIBLE, invisibleIn } from '../../domain/readable-text.ts'
import { printable } from './output.ts'

/** Length in characters, as people count them. */
interface LineLength {
  readonly min: number
  readonly max: number
}

/** U+FFFD replaces bytes from a terminal that are not UTF-8. */
const UNREADABLE = '\ufffd'

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
    const invisible = invisibleIn(text)
    if (invisible !== undefined)
      throw new InvalidArgumentError(`It has an invisible character (${invisible}): type it again.`)
    return parseLine(length)(text)
  }
