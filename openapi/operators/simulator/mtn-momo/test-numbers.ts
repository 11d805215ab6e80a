import type { Plan } from '../world/order.ts'
import { CONTRACT, type TestNumber } from './contract.ts'

const NUMBERS = new Map(CONTRACT['x-test-numbers'].map((row) => [`${row.side} ${row.number}`, row]))

/** What MTN's sandbox is known to do with a number; undefined for all others. */
export const testNumber = (side: TestNumber['side'], msisdn: string): TestNumber | undefined =>
  NUMBERS.get(`${side} ${msisdn}`)

// Soon enough to be seen by the first query, late enough that one can see it waiting.
const SOON_MS = 1_000
// "More than" so many seconds is what the contract knows.
const MORE_MS = 5_000

/** What becomes of an order from or to such a number, without anybody at the phone. */
export function planOf({ status, reason, pendingSecondsMin = 0, lastsSecondsMin = 0 }: TestNumber): Plan | undefined {
  if (status === 'FAILED' && reason !== undefined)
    return {
      verdict: { state: 'failed', code: reason },
      afterMs: pendingSecondsMin > 0 ? pendingSecondsMin * 1_000 + MORE_MS : SOON_MS,
    }
  // How it ends is known to nobody. It ends well here, because that is what a rail must not have written off.
  if (status === 'CREATED') return { verdict: { state: 'succeeded' }, afterMs: lastsSecondsMin * 1_000 + MORE_MS }
  return undefined
}
