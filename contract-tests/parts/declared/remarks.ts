import type { Operation } from '../../../openapi/reading/contract.ts'
import type { Remarks } from '../../driver/declared-case.ts'

/** Collects warnings that are no findings. */
export function createRemarks() {
  const reported = new Map<string, Set<string>>()
  const warn = (kind: string, { id }: Operation): void =>
    void reported.set(kind, (reported.get(kind) ?? new Set()).add(id))
  const remark: Remarks['remark'] = (kind, { operation }) => warn(kind, operation)
  return {
    remark,
    warn,
    skip: (what: string, operation: Operation): void => warn(`not requested, because ${what}`, operation),
    text: (): string | undefined =>
      reported.size === 0
        ? undefined
        : [...reported].map(([kind, operations]) => `${kind} (${[...operations].join(', ')})`).join('; '),
  }
}
