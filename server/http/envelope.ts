/** What a handler answers: the status goes into the envelope too. */
export interface Reply<Body extends Envelope = Envelope> {
  readonly status: Body['code']
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
}

/** The one shape of every body (service description: common response envelope). */
export interface Envelope {
  readonly code: number
  readonly status: 'success' | 'accepted' | 'error'
  readonly message: string
  readonly data: object
}

/** On every reply with an envelope: it may hold names, accounts and amounts, and it is JSON whatever stands in it. */
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

interface Accepted<Data extends object> extends Envelope {
  readonly code: 202
  readonly status: 'accepted'
  readonly data: Data
}

// NoInfer: what the handler has to answer says which data there are, not what it happens to answer.
/** 200 with data. */
export const success = <Data extends object>(message: string, data: NoInfer<Data>): Reply<Success<Data>> => ({
  status: 200,
  body: { code: 200, status: 'success', message, data },
})

/** 202: it is stored, and carried out later. */
export const accepted = <Data extends object>(
  message: string,
  data: NoInfer<Data>,
  headers?: Readonly<Record<string, string>>,
): Reply<Accepted<Data>> => ({
  status: 202,
  body: { code: 202, status: 'accepted', message, data },
  ...(headers && { headers }),
})

/**
 * Messages repeat what the merchant sent: control characters are taken out, and the length is bounded, so that one line
 * stays one line. Where a name was cut between the halves of a character, the half that is left is no text.
 */
export const failure = (status: number, message: string, headers?: Readonly<Record<string, string>>): Reply => ({
  status,
  body: {
    code: status,
    status: 'error',
    message: message.replace(CONTROL_CHARACTERS, '�').slice(0, MESSAGE_MAX).toWellFormed(),
    data: {},
  },
  ...(headers && { headers }),
})

/** C0 and C1, which the contract's pattern of a message forbids; and what turns the direction of a text around. */
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g
const MESSAGE_MAX = 1000
