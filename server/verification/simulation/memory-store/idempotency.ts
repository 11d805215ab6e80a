import type { FirstOutcome, IdempotencyClaim, IdempotencyStore } from '../../../actions/ports/idempotency.ts'
import type { UnitOfWork } from '../../../actions/ports/unit-of-work.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../../../domain/idempotency.ts'
import type { Connection } from './connection.ts'
import type { Step } from './step.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

const FIND: Step = { what: 'find idempotency key', kind: 'read' }
const REMEMBER: Step = { what: 'rememberOutcome', kind: 'write' }

/** The primary key of a stored first outcome. */
export const keyName = ({ merchantId, key }: Pick<IdempotencyClaim, 'merchantId' | 'key'>): string =>
  `${merchantId}:${key}`

/** As storage/idempotency.ts. */
export const createIdempotencyStore = (connection: Connection): IdempotencyStore => ({
  async find(claim, since) {
    await connection.step(FIND)
    const row = connection.tables.idempotencyKeys.rows.get(keyName(claim))
    return row && row.createdAt > since ? { digest: row.digest, outcome: row.outcome } : undefined
  },
})

/** As storage/idempotency.ts. */
export const idempotencyStatements = (unit: MemoryUnitOfWork): Pick<UnitOfWork, 'rememberOutcome'> => ({
  rememberOutcome: (claim, outcome, now) =>
    unit.statement(REMEMBER, () => insertKey(unit, claim, outcome, now, windowBefore(now))),
})

/** A key that is not younger than this, in milliseconds since the epoch, is free again. */
export const windowBefore = (now: Date): number => now.getTime() - IDEMPOTENCY_WINDOW_MS

/**
 * A key older than the window is free again; a fresh one keeps its first outcome. It is locked either way.
 * @returns whether this unit got the key
 */
export async function insertKey(
  unit: MemoryUnitOfWork,
  claim: IdempotencyClaim,
  outcome: FirstOutcome,
  createdAt: Date,
  before: number,
): Promise<boolean> {
  const name = keyName(claim)
  await unit.idempotencyKeys.lock(name)
  const taken = unit.idempotencyKeys.get(name)
  if (taken && taken.createdAt.getTime() > before) return false
  unit.idempotencyKeys.put(name, {
    merchantId: claim.merchantId,
    key: claim.key,
    digest: claim.digest,
    outcome,
    createdAt,
  })
  return true
}
