import { sourceFaults, type EditRow, type SourceFault } from '../planted-fault.ts'

/** Nobody knows which part of the contract suite finds them: all are tried in turn, from this one on. */
const FIRST_TRIED = 'declared'

/**
 * Faults that were chosen from the service description and the contract alone, without a look at the tests: they
 * estimate what the tests find of faults that nobody had in mind.
 * @param rows by name: what a gateway with it does, and its edits
 */
export const blindFaults = (
  kind: string,
  rows: Readonly<Record<string, readonly [does: string, ...edits: readonly EditRow[]]>>,
): readonly SourceFault[] => sourceFaults(kind, FIRST_TRIED, rows)
