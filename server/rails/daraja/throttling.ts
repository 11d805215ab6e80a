import type { Refused } from './calls.ts'

/** Apigee's own codes, in its fault body: the front turned the call away for its rate. */
const FRONT_CODES: ReadonlySet<string> = new Set([
  'policies.ratelimit.SpikeArrestViolation',
  'policies.ratelimit.QuotaViolation',
])

/** Daraja's codes mean more than one thing: only these texts, in small letters, mean the rate. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  '500.003.02': ['spike arrest', 'spike arrest violation'],
  '500.003.03': ['quota violation'],
}

/** With HTTP 429 or 500 these come; inside any other status they are not described. */
const STATUSES: ReadonlySet<number> = new Set([429, 500])

/**
 * Whether the front of Safaricom's API turned the call away because too many came. The text must be one of these as a
 * whole; capitals, blanks at its ends, a full stop and "Error Occurred:" before it do not count. "System is busy" under the
 * same code is another thing, and so is HTTP 429 alone.
 */
export function isThrottled({ status, code, words = '' }: Refused): boolean {
  if (!STATUSES.has(status)) return false
  const text = words
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^error occurr?ed ?: ?/, '')
    .replace(/ ?\.$/, '')
  return FRONT_CODES.has(code) || (Object.hasOwn(TEXTS, code) && (TEXTS[code] ?? []).includes(text))
}
