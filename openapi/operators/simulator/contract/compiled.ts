import { OperatorBackend } from './backend.ts'
import { ownFaults, type OwnFaults } from './faults.ts'

/** An operator's contract, compiled for its simulators. */
export interface CompiledContract {
  readonly backend: OperatorBackend
  readonly faults: OwnFaults
}

const known = new WeakMap<object, Promise<CompiledContract>>()

/**
 * Once per document, however many simulators use it: compiling takes longer than a start, or a schedule of the
 * simulation, and neither half has state.
 */
export function compiledOf(document: object): Promise<CompiledContract> {
  const found = known.get(document) ?? compile(document)
  known.set(document, found)
  return found
}

const compile = async (document: object): Promise<CompiledContract> => ({
  backend: await new OperatorBackend(document).init(),
  faults: ownFaults(document),
})
