import type { Contract } from '../../../openapi/reading/contract.ts'
import type { Fields } from '../../harness/json.ts'
import { callbackKind } from '../callback-kind.ts'
import type { ObservedExchange } from '../observed-exchange.ts'
import { isVisit } from '../redirects/visits.ts'
import { PAYMENT_PAGE, waysOut } from '../redirects/ways-out.ts'
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

const CALLBACKS = [
  'collectionCallback',
  'payoutCallback',
  'refundCallback',
  'payoutBatchCallback',
  'payoutBatchHandshake',
]

/** Finds the signed messages in an exchange. */
export type MessageReader = (seen: ObservedExchange) => readonly SignedMessage[]

export function createMessageReader({ operations }: Contract): MessageReader {
  /** @param id of a callback: they do not all have the same signatures */
  const requiredOf = (kind: string, method: string, id?: string): readonly string[] => [
    ...new Set(
      operations
        .filter((each) => each.kind === kind && each.method === method && (id ?? each.id) === each.id)
        .flatMap(({ parameters }) => parameters)
        .filter(({ name, required }) => required === true && /[-_]signature$/.test(name))
        .map(({ name }) => name),
    ),
  ]
  const required = {
    callbacks: new Map(CALLBACKS.map((id) => [id, requiredOf('message', 'POST', id)])),
    handshake: requiredOf('message', 'GET'),
    redirect: requiredOf('redirect', 'GET'),
  }
  return (seen) => {
    const { direction, exchange, path, query: text } = seen
    if (direction === 'asked' && !PAYMENT_PAGE.test(path)) return []
    if (direction === 'asked')
      return waysOut(exchange.reply).flatMap((address) =>
        redirectIn(address.split('#', 1)[0]?.split('?').slice(1).join('?') ?? '', required.redirect, sentAtOf(seen)),
      )
    if (exchange.request.method !== 'GET') {
      const kind = callbackKind(seen.requestBody)
      return [messageIn(seen, 'a callback', kind, required.callbacks.get(kind) ?? [])]
    }
    // A customer may open the address again tomorrow (page "The redirect"), so its time says nothing.
    return isVisit(seen)
      ? redirectIn(text, required.redirect, undefined)
      : [messageIn(seen, 'a handshake', 'payoutHandshake', required.handshake)]
  }
}

const sentAtOf = ({ exchange: { serverTime, at } }: ObservedExchange): Date => serverTime ?? at

function messageIn(seen: ObservedExchange, name: string, about: string, required: readonly string[]): SignedMessage {
  const { sent, record, path, exchange } = seen
  const { headers, body } = exchange.request
  const header = (each: string): string | undefined => headers[each]?.join(', ')
  const signature = header('webhook-signature')
  return {
    name,
    about,
    path,
    ...stateIn({ event: sent.event, ...record }),
    hmac: header('hmac-signature'),
    rsa: header('rsa-signature'),
    rsaKeyId: header('rsa-key-id'),
    webhook: signature === undefined ? undefined : webhookOf(header, signature, body),
    missing: required.filter((each) => header(each) === undefined),
    sentAt: sentAtOf(seen),
  }
}

const webhookOf = (header: (name: string) => string | undefined, signature: string, body: Buffer): WebhookMessage => ({
  id: header('webhook-id') ?? '',
  timestamp: header('webhook-timestamp') ?? '',
  signature,
  body,
})

/** An address without an outcome is the merchant's own, as it was given. */
function redirectIn(text: string, required: readonly string[], sentAt: Date | undefined): readonly SignedMessage[] {
  const query = new URLSearchParams(text)
  const value = (name: string): string | undefined => query.get(name) ?? undefined
  if (!['hmac_signature', 'rsa_signature', 'transaction_status'].some((name) => query.has(name))) return []
  return [
    {
      name: 'a redirect',
      about: 'customerRedirect',
      path: undefined,
      ...stateIn(Object.fromEntries(query)),
      hmac: value('hmac_signature'),
      rsa: value('rsa_signature'),
      rsaKeyId: value('rsa_key_id'),
      webhook: undefined,
      missing: required.filter((name) => !query.has(name)),
      sentAt,
    },
  ]
}

const stateIn = (fields: Fields): Pick<SignedMessage, 'text' | 'internalReference'> => ({
  text: stateText(fields),
  internalReference: typeof fields.internal_reference === 'string' ? fields.internal_reference : undefined,
})
