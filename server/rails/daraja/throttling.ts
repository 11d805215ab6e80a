import type { CallRefusal } from './calls.ts'

/** Apigee's own codes, in its fault body: the API gateway rejected the call for its rate. */
const FRONT_CODES: ReadonlySet<string> = new Set([
  'policies.ratelimit.SpikeArrestViolation',
  'policies.ratelimit.QuotaViolation',
])

/** Daraja's codes are ambiguous: only these texts, in lower case, mean rate limiting. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  '500.003.02': ['spike arrest', 'spike arrest violation'],
  '500.003.03': ['quota violation'],
}

/** These come with HTTP 429 or 500; inside any other status they are undocumented. */
const STATUSES: ReadonlySet<number> = new Set([429, 500])

/**
 * Whether Safaricom's API gateway rejected the call because of its rate limit. The whole text must match; case,
 * surrounding blanks, a full stop and a leading "Error Occurred:" are ignored. "System is busy" under the same code is
 * a different error, and HTTP 429 alone does not count either.
 */
export function isThrottled({ status, code, words = '' }: CallRefusal): boolean {
  if (!STATUSES.has(status)) return false
  const text = words
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^error occurr?ed ?: ?/, '')
    .replace(/ ?\.$/, '')
  return FRONT_CODES.has(code) || (Object.hasOwn(TEXTS, code) && (TEXTS[code] ?? []).includes(text))
}
