import type { StoreUnderTest } from '../../../testing/store-under-test.ts'
import { at, uniqueId, uniqueToken } from '../../../testing/transactions.ts'
import type { WorkItem, WorkKind } from '../../ports/work.ts'

/** What tests of the work do to a store, at seconds of one day. */
export const workTools = (under: () => StoreUnderTest) => ({
  addWork: (subjectIds: readonly bigint[], dueAt = at(0), kind: WorkKind = 'askRail') =>
    under().store.transaction((unit) => unit.addWork(subjectIds.map((subjectId) => ({ kind, subjectId, dueAt })))),
  claim: (from: number, until: number, limit = 10, kind: WorkKind = 'askRail'): Promise<readonly WorkItem[]> =>
    under().queue.claim(kind, { token: uniqueToken(), now: at(from), leaseUntil: at(until) }, limit),
  hold: (items: readonly WorkItem[]) => under().store.transaction((unit) => unit.holdWork(items)),
  subjects: (count: number): bigint[] => Array.from({ length: count }, uniqueId),
  theWork: async () => (await under().read.work()).map(({ kind, subjectId }) => [kind, subjectId]),
})
