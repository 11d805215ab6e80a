/** The result of checking one signature header. */
export type Check =
  /** `key`: the id of the key that it was checked with, where that is known. */
  | { readonly verdict: 'good'; readonly key?: string }
  /** `expected` only where the keys are public anyway: the inbox must not sign for others. */
  | { readonly verdict: 'bad'; readonly why: string; readonly expected?: string }
  /** Messages of this kind do not carry this signature. */
  | { readonly verdict: 'not_expected' }

export interface Checks {
  readonly hmac: Check
  readonly rsa: Check
  readonly webhook: Check
}

/**
 * What a message claims about itself: only for display, never trusted. A value is undefined where the body has nothing
 * of that name and type.
 */
export interface Summary {
  readonly event?: string
  readonly merchantReference?: string
  readonly internalReference?: string
  readonly transactionType?: string
  readonly transactionStatus?: string
  readonly statusMessage?: string
  readonly amount?: number
  readonly charge?: number
  readonly currency?: string
  readonly account?: string
  readonly providerCode?: string
  /** What hmac-signature and rsa-signature sign. */
  readonly signedText?: string
}

export interface NewInboxMessage {
  readonly receivedAt: Date
  readonly kind: 'callback' | 'handshake'
  readonly merchantReference?: string
  readonly webhookId?: string
  /** The status of the inbox's reply. */
  readonly answered: number
  /** Name of the merchant whose keys match. */
  readonly signer?: string
  /** Whose it is: of the keys that match, or of the URL that it was sent to. */
  readonly merchantId?: bigint
  /** `POST /path HTTP/1.1` */
  readonly requestLine?: string
  /** How long the sender waited for the reply. */
  readonly latencyMs?: number
  /** Undefined: it stays until newer messages replace it. */
  readonly expiresAt?: Date
  readonly summary: Summary
  readonly headers: Readonly<Record<string, string>>
  readonly checks: Checks
  readonly body: Uint8Array
}

export interface InboxMessage extends NewInboxMessage {
  readonly id: bigint
  /** 2 on the second delivery: the same webhook-id again. */
  readonly delivery: number
  /** May be truncated: `bodyBytes` is the full size. */
  readonly body: Buffer
  readonly bodyBytes: number
}

/** Longer than anything that the contract allows. A third party may send longer texts. */
const TEXT_MAX = 120

/** Extracts what is readable in a callback's body; any other body gives an empty summary. */
export function readSummary(body: Buffer): Summary {
  const message = parse(body)
  const payload = isObject(message.payload) ? message.payload : {}
  // A batch of one currency has one sum.
  const totals: readonly unknown[] = Array.isArray(payload.totals) ? payload.totals : []
  const sum = totals.length === 1 && isObject(totals[0]) ? totals[0] : {}
  const read = {
    event: text(message.event),
    merchantReference: text(payload.merchant_reference) ?? text(payload.batch_reference),
    internalReference: text(payload.internal_reference),
    transactionType: text(payload.transaction_type),
    transactionStatus: text(payload.transaction_status) ?? text(payload.batch_status),
    statusMessage: text(payload.status_message),
    amount: number(payload.transaction_amount) ?? number(sum.amount),
    charge: number(payload.transaction_charge),
    currency: text(payload.transaction_currency) ?? text(sum.currency),
    account: text(payload.transaction_account),
    providerCode: text(payload.provider_code),
    signedText: signedTextOf(message.event, payload),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/**
 * `event:merchant_reference:internal_reference:transaction_type:transaction_status` (decisions, section 4),
 * built from the body as a merchant would build it.
 */
function signedTextOf(event: unknown, payload: Readonly<Record<string, unknown>>): string | undefined {
  const fields = [
    event,
    payload.merchant_reference,
    payload.internal_reference,
    payload.transaction_type,
    payload.transaction_status,
  ]
  return fields.every((field) => typeof field === 'string' && field.length <= TEXT_MAX) ? fields.join(':') : undefined
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
const text = (value: unknown): string | undefined => (typeof value === 'string' ? storable(value) : undefined)

/** Makes a text safe to store (no NUL, no lone surrogate) and to show. */
export const storable = (value: string): string => value.slice(0, TEXT_MAX).replaceAll('\0', '�').toWellFormed()
