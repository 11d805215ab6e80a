import type { HandshakeAttempt, HandshakeWrites } from '../../../actions/ports/handshakes.ts'
import type { AttemptRow } from './world.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'

/** As storage/handshakes.ts. */
export const handshakeStatements = (unit: MemoryUnitOfWork): HandshakeWrites => ({
  recordHandshakes: (attempts) =>
    unit.about(attempts, new Map(), 'write', 'recordHandshakes', async () => {
      const numbers = new Map<bigint, number>()
      for (const attempt of attempts) {
        const number = (unit.handshakes.get(attempt.transactionId)?.length ?? 0) + 1
        // One statement counts what was there before it, and two concurrent ones get the same count.
        if (numbers.has(attempt.transactionId)) throw duplicate(`question ${number - 1} about ${attempt.transactionId}`)
        await record(unit, attempt, number)
        numbers.set(attempt.transactionId, number)
      }
      return numbers
    }),
})

async function record(
  unit: MemoryUnitOfWork,
  { transactionId, at, durationMs, httpStatus, error }: HandshakeAttempt,
  number: number,
): Promise<void> {
  await unit.handshakes.lock(transactionId)
  const before = unit.handshakes.get(transactionId) ?? []
  if (before.length >= number) throw duplicate(`question ${number} about ${transactionId}`)
  const row: AttemptRow = {
    attempt: number,
    at,
    durationMs,
    ...(httpStatus !== undefined && { httpStatus }),
    ...(error !== undefined && { error }),
  }
  unit.handshakes.put(transactionId, [...before, row])
}
