import { reasonOf, type Reason } from '../domain/reasons.ts'

/** The reply of a handler: its status goes into the envelope too. */
export interface Reply<Body extends Envelope = Envelope> {
  readonly status: Body['code']
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
  /** Sent instead of the body, to who accepts this type. */
  readonly file?: { readonly type: string; readonly text: string }
}

/** The one shape of every body (service description: common response envelope). */
export interface Envelope {
  readonly code: number
  readonly status: 'success' | 'accepted' | 'error'
  readonly message: string
  /** Of an error, for programs. */
  readonly reason?: Reason
  readonly data: object
}

/**
 * Headers of every reply with an envelope: it may contain names, accounts and amounts, and it must be read as JSON
 * whatever it contains.
 */
export const ENVELOPE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

interface Success<Data extends object> extends Envelope {
  readonly code: 200
  readonly status: 'success'
  readonly data: Data
}

interface AcceptedEnvelope<Data extends object> extends Envelope {
  readonly code: 202
  readonly status: 'accepted'
  readonly data: Data
}

// NoInfer: the data type comes from the declared reply of the handler, not from the value that it returns.
/** 200 with data. */
export const success = <Data extends object>(message: string, data: NoInfer<Data>): Reply<Success<Data>> => ({
  status: 200,
  body: { code: 200, status: 'success', message, data },
})

/** Of a reply that repeats an earlier one, by its Idempotency-Key. */
export const REPLAYED: Readonly<Record<string, string>> = { 'idempotency-replayed': 'true' }

/** 202: the request is stored and processed later. */
export const accepted = <Data extends object>(
  message: string,
  data: NoInfer<Data>,
  isReplayed = false,
): Reply<AcceptedEnvelope<Data>> => ({
  status: 202,
  body: { code: 202, status: 'accepted', message, data },
  ...(isReplayed && { headers: REPLAYED }),
})

/**
 * Messages repeat what the merchant sent: control characters are replaced and the length is limited, so that one line
 * stays one line. A lone surrogate that a cut has left is replaced too.
 */
export const failure = (
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
  reason: Reason = reasonOf(status),
): Reply => ({
  status,
  body: {
    code: status,
    status: 'error',
    message: message.replace(CONTROL_CHARACTERS, '�').slice(0, MESSAGE_MAX).toWellFormed(),
    reason,
    data: {},
  },
  ...(headers && { headers }),
})

/** C0 and C1, which the contract's pattern for messages forbids, and the bidi controls. */
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g
const MESSAGE_MAX = 1000
