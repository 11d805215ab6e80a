import type {
  FirstOutcome,
  IdempotencyClaim,
  IdempotencyStore,
  IdempotencyWrites,
} from '../../../actions/ports/idempotency.ts'
import { idempotencyKeyName, idempotencyWindowStart } from '../../../domain/idempotency.ts'
import type { Connection } from './connection.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/idempotency.ts. */
export const createIdempotencyStore = (connection: Connection): IdempotencyStore => ({
  async find(claim, since) {
    await connection.step('read', 'find idempotency key')
    const row = connection.tables.idempotencyKeys.get(idempotencyKeyName(claim))
    return row && row.createdAt > since ? { digest: row.digest, outcome: row.outcome } : undefined
  },
})

/** As storage/idempotency.ts. */
export const idempotencyStatements = (unit: MemoryUnitOfWork): IdempotencyWrites => ({
  rememberOutcome: (claim, outcome, now) =>
    unit.statement('write', 'rememberOutcome', () => insertKey(unit, claim, outcome, now, idempotencyWindowStart(now))),
})

/**
 * A key older than the window is free again; a fresh one keeps its first outcome. It is locked either way.
 * @returns whether this unit got the key
 */
export async function insertKey(
  unit: MemoryUnitOfWork,
  claim: IdempotencyClaim,
  outcome: FirstOutcome,
  createdAt: Date,
  windowStart: Date,
): Promise<boolean> {
  const name = idempotencyKeyName(claim)
  await unit.idempotencyKeys.lock(name)
  const taken = unit.idempotencyKeys.get(name)
  if (taken && taken.createdAt > windowStart) return false
  unit.idempotencyKeys.put(name, { digest: claim.digest, outcome, createdAt })
  return true
}
