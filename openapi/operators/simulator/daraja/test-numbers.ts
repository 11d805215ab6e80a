import type { Plan } from '../world/order.ts'
import { PAYOUT_RESULTS, STK_RESULTS } from './contract.ts'

// Daraja has no test numbers; these are the simulator's own: 2547 0000 and the result code in four digits.
const PREFIX = '25470000'

/** How long a test number takes, in milliseconds. */
const AFTER_MS = 2_000
const PAID = '0'
const IN_FLIGHT = '4999'

/**
 * The outcome of a test number, without anybody at the phone: 254700001032 cancels, 254700000000 pays, 254700004999
 * stays in flight for ever. The rules about repeated prompts do not apply to it.
 * @returns undefined for every other number, and for a code that this direction does not have
 */
export function planOfTestNumber(msisdn: string, direction: 'in' | 'out'): Plan | undefined {
  if (!msisdn.startsWith(PREFIX)) return undefined
  const code = String(Number(msisdn.slice(PREFIX.length)))
  if (code === PAID) return { verdict: { state: 'succeeded' }, afterMs: AFTER_MS }
  if (code === IN_FLIGHT) return { verdict: undefined, afterMs: 0 }
  const known = direction === 'in' ? STK_RESULTS : PAYOUT_RESULTS
  return code in known ? failing(code) : undefined
}

/** @param afterMs as the prompt rules have it, not a test number */
export const failing = (code: string, afterMs: number = AFTER_MS): Plan => ({
  verdict: { state: 'failed', code },
  afterMs,
})
