import type { Context, Handler as BackendHandler } from 'openapi-backend'
import type { Merchants } from '../actions/ports/reference-data.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Exchange } from './exchange.ts'
import type { RateLimits } from './rate-limit.ts'
import { needsSecretKey, secretKeyMatches, unauthorized } from './security.ts'

/** Whose keys a request carries. */
export interface KeyChecks {
  /** One of each security scheme of the contract. */
  readonly handlers: Readonly<Record<'publicKey' | 'secretKey', BackendHandler>>
  /** The keys are right: what was counted against the address of the request is given back. */
  authorized(exchange: Exchange): Promise<void>
  /** @throws RequestFault 401 or 429, StorageUnavailable when nobody could look the keys up */
  refuse(context: Context, exchange: Exchange): Promise<never>
}

/**
 * Checks keys. To look up a key that nobody here knows costs a point of those that an address has for wrong keys, before
 * the database is asked: over the limit it is not. Merchants who are known here are let in all the same.
 */
export function createKeyChecks(reference: Merchants, rateLimits: RateLimits): KeyChecks {
  // Once for both checks. openapi-backend takes what they throw for wrong keys, so it is kept and told as what it is.
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

  /** A wrong secret key of a known merchant takes the work of an unknown public key: time tells nothing about either. */
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

/** No public key begins so. */
const NOBODY = '?'

function publicKeyOf({ message }: Exchange): string | undefined {
  const publicKey = message.headers['public-key']
  return typeof publicKey === 'string' && publicKey !== '' ? publicKey : undefined
}
