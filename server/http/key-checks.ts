import type { Context, Handler as BackendHandler } from 'openapi-backend'
import type { Merchants } from '../actions/ports/reference-data.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Exchange } from './exchange.ts'
import type { RateLimits } from './rate-limit.ts'
import { needsSecretKey, secretKeyMatches, unauthorized } from './security.ts'

/** Checks whose keys a request carries. */
export interface KeyChecks {
  /** One handler for each security scheme of the contract. */
  readonly handlers: Readonly<Record<'publicKey' | 'secretKey', BackendHandler>>
  /** The keys are right: the point charged to the request's address is refunded. */
  authorized(exchange: Exchange): Promise<void>
  /** @throws RequestFault 401 or 429, StorageUnavailable when the keys could not be looked up */
  refuse(context: Context, exchange: Exchange): Promise<never>
}

/**
 * Checks keys. Looking up a key that is not cached here first costs one point of the address's quota for wrong keys;
 * over the limit the database is not queried. Merchants that are cached here are always accepted.
 */
export function createKeyChecks(reference: Merchants, rateLimits: RateLimits): KeyChecks {
  // One lookup serves both checks. openapi-backend treats any error in them as wrong keys, so the error is kept and
  // reported as what it is.
  const lookUp = (exchange: Exchange): Promise<Merchant | undefined> =>
    (exchange.lookUp ??= find(exchange, publicKeyOf(exchange)).catch((error: unknown) => {
      exchange.notLookedUp = { error }
      return undefined
    }))

  async function find(exchange: Exchange, publicKey: string | undefined): Promise<Merchant | undefined> {
    if (publicKey === undefined) return undefined
    if (!reference.isKnownKey(publicKey)) exchange.refusals = await rateLimits.refusedKeys(exchange.address())
    return reference.merchantByPublicKey(publicKey)
  }

  async function giveBack(exchange: Exchange): Promise<void> {
    if (exchange.refusals) await rateLimits.rightKeys(exchange.address())
    exchange.refusals = undefined
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
      publicKey: async (_context: Context, exchange: Exchange) =>
        (exchange.merchant = await lookUp(exchange)) !== undefined,
      secretKey: async (_context: Context, exchange: Exchange) =>
        secretKeyMatches(exchange.message.headers, await lookUp(exchange)),
    },
    authorized: giveBack,
    async refuse({ operation }, exchange) {
      if (exchange.notLookedUp) {
        await giveBack(exchange)
        throw exchange.notLookedUp.error
      }
      if (exchange.refusals) exchange.quota = exchange.refusals
      else {
        exchange.quota = await rateLimits.refusedKeys(exchange.address())
        await lookUpNobody(publicKeyOf(exchange))
      }
      throw unauthorized(exchange.message.headers, needsSecretKey(operation))
    },
  }
}

/** No public key begins like this. */
const NOBODY = '?'

function publicKeyOf({ message }: Exchange): string | undefined {
  const publicKey = message.headers['public-key']
  return typeof publicKey === 'string' && publicKey !== '' ? publicKey : undefined
}
