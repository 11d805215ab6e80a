import type { Gateway } from '../../main.ts'
import { examine } from '../../admin/queries/doctor.ts'

/**
 * Findings of `malipo doctor`, in words; empty when books and jobs are correct. A payment that its rail leaves open is
 * no finding here, nor what waits on suspense for staff: tests let months pass.
 */
export async function faultsInBooks({ pool }: Pick<Gateway, 'pool'>, now: Date): Promise<readonly string[]> {
  return (await examine(pool, now))
    .filter(({ name, found }) => found > 0 && !LEFT_OPEN.has(name))
    .map(({ rule, found, examples }) => `not so: ${rule} (${found}: ${examples.join('; ')})`)
}

const LEFT_OPEN: ReadonlySet<string> = new Set(['open_transactions_are_young', 'orders_answered', 'attempts_refunded'])
