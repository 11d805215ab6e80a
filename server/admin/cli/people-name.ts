import { InvalidArgumentError } from 'commander'
import { nameFault } from '../../domain/readable-text.ts'

/** The display name of a person, merchant or provider. */
export function parseName(text: string): string {
  const name = text.trim()
  const fault = nameFault(name)
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`)
  return name
}
