import { randomBytes } from 'node:crypto'
import { KeyRing } from './key-ring.ts'
import type { OpenApiDocument } from './openapi.ts'
import { ConfigError, type Keys, type RunOptions } from './options.ts'
import { schemesOf, type Scheme } from './schemes.ts'
import { keyVariable } from './settings.ts'

/**
 * The keys of a run: given ones, then those of the environment; for other schemes, throw-away keys.
 *
 * @throws ConfigError for a key that no operation of the contract needs
 */
export async function openKeys(
  contract: OpenApiDocument,
  { keys = {}, env = process.env }: Pick<RunOptions, 'keys' | 'env'>,
): Promise<KeyRing> {
  const schemes = schemesOf(contract)
  const names = schemes.map(({ name }) => name)
  const unknown = Object.keys(keys).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ConfigError(`the contract has no security scheme ${unknown} in use, only ${names.join(', ') || 'none'}`)
  const inEnvironment = schemes.flatMap(({ name }): [string, string][] => {
    const key = env[keyVariable(name)]
    return key === undefined ? [] : [[name, key]]
  })
  return KeyRing.open({ ...throwAwayKeys(schemes), ...Object.fromEntries(inEnvironment), ...keys })
}

/** New at every run: a kept report could not be misused even if one leaked into it. */
const throwAwayKeys = (schemes: readonly Scheme[]): Keys =>
  Object.fromEntries(
    schemes.map(({ name, kind }) => [
      name,
      `${kind === 'basic' ? 'throwaway:' : ''}throwaway_${randomBytes(12).toString('hex')}`,
    ]),
  )
