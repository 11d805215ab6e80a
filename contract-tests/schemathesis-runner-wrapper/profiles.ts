import { keysAsHeaders, showExamplesToSchemas, spellHeadersAsSent } from './contract.ts'
import type { Prepare, Profile } from './types.ts'

type Given = Omit<Profile, 'name'>

/**
 * The contract as it is published. Two things are written differently in the tested copy, neither of which a server
 * could notice: header numbers as text, and examples also in the schemas. `prepare` may replace example values by ones
 * that exist on the server.
 */
export const canonical = (given: Given = {}): Profile => ({
  name: 'canonical',
  ...given,
  prepare: async (contract, running) =>
    showExamplesToSchemas(spellHeadersAsSent(await prepared(given.prepare, contract, running))),
})

/**
 * A copy that `prepare` specialises from what the server says about itself, so that the rules of the business are part
 * of the schema.
 */
export const fuzz = (given: Given = {}): Profile => ({
  name: 'fuzz',
  ...given,
  prepare: async (contract, running) =>
    showExamplesToSchemas(spellHeadersAsSent(await prepared(given.prepare, contract, running))),
})

/** The paths with an operation that requires more than one key, with its keys as ordinary headers. */
export const keys = (given: Given = {}): Profile => ({
  name: 'keys',
  ...given,
  prepare: async (contract, running) =>
    keysAsHeaders(
      showExamplesToSchemas(spellHeadersAsSent(await prepared(given.prepare, contract, running))),
      running.keys,
    ),
})

const prepared = (prepare: Prepare | undefined, ...[contract, running]: Parameters<Prepare>) =>
  prepare?.(contract, running) ?? contract
