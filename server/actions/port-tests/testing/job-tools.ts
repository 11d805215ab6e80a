import type { StoreUnderTest } from '../../../verification/testing/store-under-test.ts'
import { at, uniqueId, uniqueToken } from '../../../verification/testing/transactions.ts'
import type { Job, JobKind } from '../../ports/jobs.ts'

/** Helpers for tests of the job store, at seconds of one day. */
export const workTools = (under: () => StoreUnderTest) => ({
  addJobs: (subjectIds: readonly bigint[], dueAt = at(0), kind: JobKind = 'pollRail') =>
    under().store.transaction((unit) => unit.addJobs(subjectIds.map((subjectId) => ({ kind, subjectId, dueAt })))),
  claim: (from: number, until: number, limit = 10, kind: JobKind = 'pollRail'): Promise<readonly Job[]> =>
    under().queue.claim(kind, { token: uniqueToken(), now: at(from), leaseUntil: at(until) }, limit),
  hold: (items: readonly Job[]) => under().store.transaction((unit) => unit.holdJobs(items)),
  subjects: (count: number): bigint[] => Array.from({ length: count }, uniqueId),
  theWork: async () => (await under().read.work()).map(({ kind, subjectId }) => [kind, subjectId]),
})
