import type { Contract } from '../../openapi/reading/contract.ts'
import { changesBetween, type ContractChanges } from './contract-changes.ts'

/** What a run with `--since` tests, and the sentence that says so. */
export interface OperationChoice {
  /** operationIds; empty: there is nothing to test; absent: everything is tested. */
  readonly operations?: readonly string[]
  readonly reason: string
}

/**
 * Operations that the contract's changes touch; all of them when a change belongs to no single one.
 * @param before undefined: the ref has no such file
 */
export function chosenOperations(ref: string, before: Contract | undefined, after: Contract): OperationChoice {
  const since = `--since ${ref}`
  if (!before) return { reason: `${since}: everything is tested, because the contract is not in ${ref}` }
  const { operations, removed, shared } = changesBetween(before.document, after.document)
  const all = after.operations.filter(({ kind }) => kind === 'operation').length
  if (shared.length > 0)
    return { reason: `${since}: everything is tested, because ${listed(shared)} differ${shared.length > 1 ? '' : 's'}` }
  if (operations.length > 0 && operations.length >= all)
    return { reason: `${since}: everything is tested, because every operation differs` }
  const gone = removed.length > 0 ? `; removed: ${listed(removed)}` : ''
  return {
    operations,
    reason:
      operations.length === 0
        ? `${since}: no operation of the contract differs, so nothing is tested${gone}`
        : `${since}: ${operations.length} of ${all} operations differ${operations.length > 1 ? '' : 's'}: ${listed(operations)}${gone}`,
  }
}

const NAMED_MAX = 20
const listed = (names: ContractChanges['operations']): string =>
  names.length > NAMED_MAX
    ? `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`
    : names.join(', ')
