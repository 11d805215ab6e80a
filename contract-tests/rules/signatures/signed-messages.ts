import type { Contract, Parameter } from '../../../openapi/reading/contract.ts'
import type { Fields } from '../../harness/json.ts'
import { callbackKind } from '../callback-kind.ts'
import type { ObservedExchange } from '../observed-exchange.ts'
import { hasOutcome, isVisit, PAYMENT_PAGE, queryOf, waysOut } from '../pages.ts'
import { stateText, type WebhookMessage } from './digests.ts'

/** A signed message to the merchant: a callback, a handshake, or the address that a customer is redirected to. */
export interface SignedMessage {
  /** In words: `a callback`. */
  readonly name: string
  /** What a finding names as broken. */
  readonly about: string
  /** Where it arrived; undefined for an address that a page leads to. */
  readonly path: string | undefined
  readonly internalReference: string | undefined
  /** What `hmac` and `rsa` cover; undefined when a field is missing. */
  readonly text: string | undefined
  readonly hmac: string | undefined
  readonly rsa: string | undefined
  readonly rsaKeyId: string | undefined
  readonly webhook: WebhookMessage | undefined
  /** Signatures that the contract requires and that it has not. */
  readonly missing: readonly string[]
  /** When it was sent, by the clock of the server; undefined: it may have been signed long ago. */
  readonly sentAt: Date | undefined
}

/** Finds the signed messages in an exchange. */
export function createMessageReader({ operations }: Contract): (seen: ObservedExchange) => readonly SignedMessage[] {
  const messages = operations.filter(({ kind }) => kind !== 'operation')
  const required = new Map(messages.map(({ id, parameters }) => [id, parameters.filter(isRequiredSignature)]))
  const missingIn = (about: string, valueOf: ValueOf): readonly string[] =>
    (required.get(about) ?? []).map(({ name }) => name).filter((name) => valueOf(name) === undefined)
  const messageIn = (seen: ObservedExchange, name: string, about: string): SignedMessage => {
    const { sent, record, path, exchange } = seen
    const valueOf: ValueOf = (each) => exchange.request.headers[each]?.join(', ')
    const signature = valueOf('webhook-signature')
    const [id = '', timestamp = ''] = [valueOf('webhook-id'), valueOf('webhook-timestamp')]
    return {
      name,
      about,
      path,
      ...signaturesIn({ event: sent.event, ...record }, valueOf),
      webhook: signature === undefined ? undefined : { id, timestamp, signature, body: exchange.request.body },
      missing: missingIn(about, valueOf),
      sentAt: sentAtOf(seen),
    }
  }
  /** An address without an outcome is the merchant's own, as it was given. */
  const redirectIn = (query: URLSearchParams, sentAt: Date | undefined): readonly SignedMessage[] => {
    if (!hasOutcome(query)) return []
    const valueOf: ValueOf = (each) => query.get(each.replaceAll('-', '_')) ?? undefined
    const about = 'customerRedirect'
    const signatures = signaturesIn(Object.fromEntries(query), valueOf)
    const missing = missingIn(about, valueOf)
    return [{ name: 'a redirect', about, path: undefined, ...signatures, webhook: undefined, missing, sentAt }]
  }
  return (seen) => {
    const { direction, exchange, path } = seen
    if (direction === 'asked')
      return PAYMENT_PAGE.test(path)
        ? waysOut(exchange.reply).flatMap((address) => redirectIn(queryOf(address), sentAtOf(seen)))
        : []
    if (exchange.request.method !== 'GET') return [messageIn(seen, 'a callback', callbackKind(seen.requestBody))]
    // A customer may open the address again tomorrow (page "The redirect"), so its time says nothing.
    if (isVisit(seen)) return redirectIn(new URLSearchParams(seen.query), undefined)
    return [messageIn(seen, 'a handshake', 'payoutHandshake')]
  }
}

/** Reads a header, or a parameter of a query. */
type ValueOf = (name: string) => string | undefined

const isRequiredSignature = ({ name, required }: Parameter): boolean => required === true && /[-_]signature$/.test(name)

const sentAtOf = ({ exchange: { serverTime, at } }: ObservedExchange): Date => serverTime ?? at

const signaturesIn = (fields: Fields, valueOf: ValueOf) => ({
  text: stateText(fields),
  internalReference: typeof fields.internal_reference === 'string' ? fields.internal_reference : undefined,
  hmac: valueOf('hmac-signature'),
  rsa: valueOf('rsa-signature'),
  rsaKeyId: valueOf('rsa-key-id'),
})
