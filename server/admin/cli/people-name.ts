import { InvalidArgumentError } from 'commander'
import { directionControlIn } from '../../domain/readable-text.ts'

const LENGTH_MAX = 100

/**
 * The display name of a merchant or a provider: letters of any script, on one line, without hidden or reordering
 * characters.
 */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > LENGTH_MAX || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError(`It must have 1 to ${LENGTH_MAX} characters, on one line.`)
  const control = directionControlIn(name)
  if (control !== undefined) throw new InvalidArgumentError(`It must not contain the control character ${control}.`)
  return name
}
