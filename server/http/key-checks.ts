import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Context, Handler as BackendHandler, Operation } from 'openapi-backend'
import type { Merchants } from '../actions/ports/reference-data.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { QuotaHeaders, RateLimits } from './rate-limit.ts'
import { CHALLENGE, RequestFault } from './failures.ts'

/** The parts of a request that its key checks read, and the results that they add. */
export interface KeyedRequest {
  readonly message: IncomingMessage
  /** The client's address; behind a trusted proxy, the one that the proxy reports. */
  readonly address: () => string
  /** The merchant that the request's public key belongs to. */
  lookUp?: Promise<Merchant | undefined>
  /** Set when the lookup failed, so the merchant is unknown: its keys are not necessarily wrong. */
  notLookedUp?: { readonly error: unknown }
  /** Set while the request counts as one with wrong keys: what its address has left of that quota. */
  refusals?: QuotaHeaders | undefined
  merchant?: Merchant | undefined
  /** A secret key came along with a request that may have one; it is right once the keys have been checked. */
  withSecretKey?: boolean
  /** What is left of the bucket that this request counted toward. */
  quota?: QuotaHeaders
}

/** The merchant of the request: known once its keys have been checked. */
export function merchantOf({ merchant }: KeyedRequest): Merchant {
  if (!merchant) throw new Error('the keys of the request have not been checked')
  return merchant
}

/** Checks whose keys a request carries. */
interface KeyChecks {
  /** One handler for each security scheme of the contract. */
  readonly handlers: Readonly<Record<'publicKey' | 'secretKey', BackendHandler>>
  /** The keys are right: the point charged to the request's address is refunded. */
  authorized(request: KeyedRequest): Promise<void>
  /** @throws RequestFault 401 or 429, StorageUnavailable when the keys could not be looked up */
  refuse(context: Context, request: KeyedRequest): Promise<never>
}

/**
 * Checks keys. Looking up a key that is not cached here first costs one point of the address's quota for wrong keys;
 * over the limit the database is not queried. Merchants that are cached here are always accepted.
 */
export function createKeyChecks(reference: Merchants, rateLimits: RateLimits): KeyChecks {
  // One lookup serves both checks. openapi-backend treats any error in them as wrong keys, so the error is kept and
  // reported as what it is.
  const lookUp = (request: KeyedRequest): Promise<Merchant | undefined> =>
    (request.lookUp ??= find(request, publicKeyOf(request)).catch((error: unknown) => {
      request.notLookedUp = { error }
      return undefined
    }))

  async function find(request: KeyedRequest, publicKey: string | undefined): Promise<Merchant | undefined> {
    if (publicKey === undefined) return undefined
    if (!reference.isKnownKey(publicKey)) request.refusals = await rateLimits.refusedKeys(request.address())
    return reference.merchantByPublicKey(publicKey)
  }

  async function giveBack(request: KeyedRequest): Promise<void> {
    if (request.refusals) await rateLimits.rightKeys(request.address())
    request.refusals = undefined
  }

  /**
   * Makes a wrong secret key of a known merchant take as long as an unknown public key: the time reveals nothing about
   * either.
   */
  async function lookUpNobody(publicKey: string | undefined): Promise<void> {
    if (publicKey !== undefined) await reference.merchantByPublicKey(`${NOBODY}${publicKey}`)
  }

  return {
    handlers: {
      publicKey: async ({ operation }: Context, request: KeyedRequest) => {
        request.merchant = await lookUp(request)
        // Where the secret key is optional, a wrong one is refused all the same.
        const { headers } = request.message
        request.withSecretKey = mayHaveSecretKey(operation) && Boolean(headers['secret-key'])
        return request.merchant !== undefined && (!request.withSecretKey || secretKeyMatches(headers, request.merchant))
      },
      secretKey: async (_context: Context, request: KeyedRequest) =>
        secretKeyMatches(request.message.headers, await lookUp(request)),
    },
    authorized: giveBack,
    async refuse({ operation }, request) {
      if (request.notLookedUp) {
        await giveBack(request)
        throw request.notLookedUp.error
      }
      if (request.refusals) request.quota = request.refusals
      else {
        request.quota = await rateLimits.refusedKeys(request.address())
        await lookUpNobody(publicKeyOf(request))
      }
      throw unauthorized(request.message.headers, needsSecretKey(operation))
    },
  }
}

/** No public key begins like this. */
const NOBODY = '?'

function publicKeyOf({ message }: KeyedRequest): string | undefined {
  const publicKey = message.headers['public-key']
  return typeof publicKey === 'string' && publicKey !== '' ? publicKey : undefined
}

/**
 * Replaces the digests of a merchant that does not exist, so that an unknown key takes the same time as a wrong one.
 */
const NO_DIGEST = createHash('sha256').update('no such key').digest()

/**
 * Whether the `secret-key` header is one of the merchant's; takes the same time for a wrong key as for an unknown
 * merchant.
 */
function secretKeyMatches(headers: IncomingHttpHeaders, merchant: Merchant | undefined): boolean {
  const secretKey = headers['secret-key']
  if (typeof secretKey !== 'string') return false
  const digest = createHash('sha256').update(secretKey).digest()
  const valid = merchant?.secretKeyDigests ?? [NO_DIGEST]
  // Every digest is compared, even after a match: the time does not reveal which one matched.
  const matches = valid.map((candidate) => timingSafeEqual(digest, candidate))
  return merchant !== undefined && matches.includes(true)
}

/** Whether the contract requires the secret key and not only the public one. */
export const needsSecretKey = ({ security = [] }: Operation): boolean =>
  security.length > 0 && security.every((requirement) => 'secretKey' in requirement)

const mayHaveSecretKey = ({ security = [] }: Operation): boolean =>
  security.some((requirement) => 'secretKey' in requirement)

/** 401 naming what is missing; unknown and wrong keys share one text. */
export function unauthorized(headers: IncomingHttpHeaders, withSecretKey: boolean): RequestFault {
  if (!headers['public-key']) return new RequestFault(401, 'public-key is required', CHALLENGE, 'missing_key')
  if (withSecretKey && !headers['secret-key'])
    return new RequestFault(401, 'secret-key is required', CHALLENGE, 'missing_key')
  return new RequestFault(401, 'The public-key or secret-key is not valid', CHALLENGE)
}
