import type { Plan } from '../world/order.ts'
import { CONTRACT, type TestNumber } from './contract.ts'

const NUMBERS = new Map(CONTRACT['x-test-numbers'].map((row) => [`${row.side} ${row.number}`, row]))

/** The known behaviour of MTN's sandbox for a number; undefined for all others. */
export const testNumber = (side: TestNumber['side'], msisdn: string): TestNumber | undefined =>
  NUMBERS.get(`${side} ${msisdn}`)

// Soon enough for the first query, late enough to observe it waiting.
const SOON_MS = 1_000
// The contract knows "more than" this many seconds.
const MORE_MS = 5_000

/** The outcome of an order from or to such a number, without anybody at the phone. */
export function planOf({ status, reason, pendingSecondsMin = 0, lastsSecondsMin = 0 }: TestNumber): Plan | undefined {
  if (status === 'FAILED' && reason !== undefined)
    return {
      verdict: { state: 'failed', code: reason },
      afterMs: pendingSecondsMin > 0 ? pendingSecondsMin * 1_000 + MORE_MS : SOON_MS,
    }
  // Its end is not known. It succeeds here, because that is what a rail must not have written off.
  if (status === 'CREATED') return { verdict: { state: 'succeeded' }, afterMs: lastsSecondsMin * 1_000 + MORE_MS }
  return undefined
}
