import { keysAsHeaders, showExamplesToSchemas, spellHeadersAsSent } from './contract.ts'
import type { Prepare, Profile } from './options.ts'

type ProfileSettings = Omit<Profile, 'name'>

/** Header numbers as text, examples also in schemas: changes of every copy that no server could notice. */
const profile = (name: string, given: ProfileSettings, last: Prepare = (contract) => contract): Profile => ({
  name,
  ...given,
  prepare: async (contract, running) =>
    last(showExamplesToSchemas(spellHeadersAsSent((await given.prepare?.(contract, running)) ?? contract)), running),
})

/** The contract as published; `prepare` may replace example values by ones that exist on the server. */
export const canonical = (given: ProfileSettings = {}): Profile => profile('canonical', given)

/** A copy with the business rules in its schemas, which `prepare` builds from the server's lookups. */
export const fuzz = (given: ProfileSettings = {}): Profile => profile('fuzz', given)

/** The paths with an operation that requires more than one key, with its keys as ordinary headers. */
export const keys = (given: ProfileSettings = {}): Profile =>
  profile('keys', given, (contract, running) => keysAsHeaders(contract, running.keys))
