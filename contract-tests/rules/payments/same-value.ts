import { isDeepStrictEqual } from 'node:util'
import type { Claim } from './claims.ts'

/** Enough of a number to tell it from another, however its beginning is spelled. */
const TAIL = 7

/** Whether two messages have the same value of a field; a redirect has texts only. */
export function isSameValue(name: string, one: Claim, other: Claim): boolean {
  const [here, there] = [one.fields[name], other.fields[name]]
  if (one.source === 'a redirect' || other.source === 'a redirect') return String(here) === String(there)
  const isSpelled = name === 'transaction_account' && [one, other].some(({ source }) => source === 'the request')
  // A request may have blanks in the number, or no country code (schema Msisdn).
  if (isSpelled && String(here).length !== String(there).length)
    return String(here).slice(-TAIL) === String(there).slice(-TAIL)
  return isDeepStrictEqual(here, there)
}
