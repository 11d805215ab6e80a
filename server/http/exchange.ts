import type { IncomingMessage } from 'node:http'
import type { Merchant } from '../domain/merchant.ts'
import type { DeclaredHeaders } from './header-checks.ts'
import type { NumberTexts } from './json-text.ts'
import type { QuotaHeaders } from './quota-headers.ts'
import type { IncomingRequest } from './router.ts'

/** One request on its way through the checks: each check adds its results. */
export interface Exchange {
  readonly message: IncomingMessage
  /** The client's address; behind a trusted proxy, the one that the proxy reports. */
  readonly address: () => string
  readonly request: IncomingRequest & { body?: unknown; headers: Record<string, string | string[]> }
  operationId?: string
  /** The path template of the contract, with the names of its parameters. */
  route?: string
  /** Its own span, when its trace is sampled. */
  readonly traceparent?: string | undefined
  /** The merchant that the request's public key belongs to. */
  lookUp?: Promise<Merchant | undefined>
  /** Set when the lookup failed, so the merchant is unknown: its keys are not necessarily wrong. */
  notLookedUp?: { readonly error: unknown }
  /** Set while the request counts as one with wrong keys: what its address has left of that quota. */
  refusals?: QuotaHeaders | undefined
  merchant?: Merchant | undefined
  /** What is left of the bucket that this request counted toward. */
  quota?: QuotaHeaders
  declared?: DeclaredHeaders
  numbers?: NumberTexts
  /** A body field that the contract does not declare: reported when nothing else is wrong. */
  unknownField?: string | undefined
}

/** The merchant of the request: known once its keys have been checked. */
export function merchantOf({ merchant }: Exchange): Merchant {
  if (!merchant) throw new Error('the keys of the request have not been checked')
  return merchant
}
