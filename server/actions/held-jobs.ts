import { claimName, type Job, type JobWrites } from './ports/jobs.ts'

/**
 * Which of the jobs this worker still holds, locked until commit. The claim token is compared too, not the row alone:
 * a batch may hold two claims of one row, one of which has lost its lease.
 */
export async function heldJobs(
  unit: Pick<JobWrites, 'holdJobs'>,
  items: readonly Job[],
): Promise<(item: Job) => boolean> {
  const held = new Set((await unit.holdJobs(items)).map(claimName))
  return (item) => held.has(claimName(item))
}
