import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from 'openapi-backend'
import type { Merchant } from '../domain/merchant.ts'
import { RequestFault } from './failures.ts'

const CHALLENGE: Readonly<Record<string, string>> = { 'www-authenticate': 'ApiKey realm="malipo"' }
/**
 * Replaces the digests of a merchant that does not exist, so that an unknown key takes the same time as a wrong one.
 */
const NO_DIGEST = createHash('sha256').update('no such key').digest()

/**
 * Whether the `secret-key` header is one of the merchant's; takes the same time for a wrong key as for an unknown
 * merchant.
 */
export function secretKeyMatches(headers: IncomingHttpHeaders, merchant: Merchant | undefined): boolean {
  const secretKey = headers['secret-key']
  if (typeof secretKey !== 'string') return false
  const digest = createHash('sha256').update(secretKey).digest()
  const valid = merchant?.secretKeyDigests ?? [NO_DIGEST]
  // Every digest is compared, even after a match: the time does not reveal which one matched.
  const matches = valid.map((candidate) => timingSafeEqual(digest, candidate))
  return merchant !== undefined && matches.includes(true)
}

/** Whether the contract requires the secret key and not only the public one. */
export const needsSecretKey = ({ security }: Operation): boolean =>
  (security ?? []).some((requirement) => 'secretKey' in requirement)

/** 401 naming what is missing; unknown and wrong keys share one text. */
export function unauthorized(headers: IncomingHttpHeaders, withSecretKey: boolean): RequestFault {
  if (!headers['public-key']) return new RequestFault(401, 'public-key is required', CHALLENGE)
  if (withSecretKey && !headers['secret-key']) return new RequestFault(401, 'secret-key is required', CHALLENGE)
  return new RequestFault(401, 'The public-key or secret-key is not valid', CHALLENGE)
}
