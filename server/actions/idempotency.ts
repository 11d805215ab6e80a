import { idempotencyWindowStart } from '../domain/idempotency.ts'
import { INVALID_OTP } from '../domain/payment-session.ts'
import { Refusal } from '../domain/refusal.ts'
import { isSameBytes } from '../domain/same-bytes.ts'
import type { Clock } from './ports/clock.ts'
import type { Acknowledgement, FirstOutcome, IdempotencyClaim, IdempotencyStore } from './ports/idempotency.ts'

/** The stored refusal of an earlier request with the same key. */
export class ReplayedRefusal extends Refusal {}

/** Thrown by `run` when a concurrent request took the key: its outcome is the reply. */
export class IdempotencyKeyTaken extends Error {}

export type IdempotentAcceptance = Acknowledgement & { readonly replayed: boolean }

/**
 * Executes a request at most once per Idempotency-Key. `run` stores the key in the same commit as the effect. A
 * request that is refused before it has an effect leaves its key free: a corrected one goes through, and an unchanged
 * one is checked against the same rules again.
 * @throws Refusal `idempotency_key_reused` when the key came with another request; ReplayedRefusal
 */
export async function once(
  deps: { idempotency: IdempotencyStore; clock: Clock },
  claim: IdempotencyClaim | undefined,
  run: () => Promise<Acknowledgement>,
): Promise<IdempotentAcceptance> {
  if (!claim) return { ...(await run()), replayed: false }
  const earlier = await replay(deps, claim)
  if (earlier) return earlier
  try {
    return { ...(await run()), replayed: false }
  } catch (error) {
    if (error instanceof IdempotencyKeyTaken) return (await replay(deps, claim)) ?? once(deps, claim, run)
    throw error
  }
}

async function replay(
  { idempotency, clock }: { idempotency: IdempotencyStore; clock: Clock },
  claim: IdempotencyClaim,
): Promise<IdempotentAcceptance | undefined> {
  const earlier = await idempotency.find(claim, idempotencyWindowStart(clock.now()))
  if (!earlier) return undefined
  if (!isSameBytes(earlier.digest, claim.digest))
    throw new Refusal('idempotency_key_reused', 'Idempotency-Key has already been used with a different request')
  return { ...acceptedOrThrow(earlier.outcome), replayed: true }
}

function acceptedOrThrow(outcome: FirstOutcome): Acknowledgement {
  if (outcome.result === 'refused') throw new ReplayedRefusal(outcome.code, INVALID_OTP)
  return outcome.accepted
}
