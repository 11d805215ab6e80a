import type { IncomingMessage } from 'node:http'
import type { Merchant } from '../domain/merchant.ts'
import type { DeclaredHeaders } from './header-checks.ts'
import type { NumberTexts } from './json-text.ts'
import type { QuotaHeaders } from './quota-headers.ts'
import type { IncomingRequest } from './router.ts'

/** One request on its way through the checks: each adds what it has found out. */
export interface Exchange {
  readonly message: IncomingMessage
  /** Whose request it is as far as the network tells: behind a proxy that is trusted, what that says. */
  readonly address: () => string
  readonly request: IncomingRequest & { body?: unknown; headers: Record<string, string | string[]> }
  operationId?: string
  /** As the contract has it, with the names of its parameters. */
  route?: string
  /** Its own span, where its trace is kept. */
  readonly traceparent?: string | undefined
  /** Of the merchant whose public key it carries. */
  lookUp?: Promise<Merchant | undefined>
  /** Why nobody knows whose it is: nothing is wrong with its keys. */
  notLookedUp?: { readonly error: unknown }
  /** It counts as one with wrong keys until they are found to be right; what its address has left of those. */
  refusals?: QuotaHeaders | undefined
  merchant?: Merchant | undefined
  /** What is left of the bucket that this request counted toward. */
  quota?: QuotaHeaders
  declared?: DeclaredHeaders
  numbers?: NumberTexts
  /** A body field that the contract does not know: told when nothing else is wrong. */
  unknownField?: string | undefined
}

/** Whose request it is: known as soon as its keys have been checked. */
export function merchantOf({ merchant }: Exchange): Merchant {
  if (!merchant) throw new Error('the keys of the request have not been checked')
  return merchant
}
