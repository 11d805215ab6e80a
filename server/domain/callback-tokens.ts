import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Random } from './references.ts'

// Each order of a rail account has an address of its own at which the operator reports. Its token is made from the order
// id and a secret of the account, so that it is checked without the database: that may be away when the operator's only
// message comes.

/** Makes the tokens of a rail account's orders. */
export interface TokenKey {
  /** Begins each of its tokens, in clear. */
  readonly id: string
  /** In hexadecimal: never to be logged or shown. */
  readonly secret: string
  /** From when on another key makes the tokens. Absent: nobody has made another. */
  readonly retiredAt?: Date
}

/** What the tokens in a rail account's addresses are checked against. */
export interface CallbackKeys {
  /** The newest first. The oldest that is not retired makes the tokens of new orders. */
  readonly keys: readonly TokenKey[]
  /** Of the token that all orders of the account had before each had its own: SHA-256, and since when none gets it. */
  readonly shared?: { readonly digest: Uint8Array; readonly retiredAt: Date }
}

/** Where a token stands in an address, and for which order. */
export interface TokenPlace {
  readonly installation: string
  /** In lower case. */
  readonly orderId: string
}

/** `orderedUntil`: the token is that of an order only if the order is not younger. */
export type TokenCheck = { readonly isValid: false } | { readonly isValid: true; readonly orderedUntil?: Date }

const ID_BYTES = 4
const SECRET_BYTES = 32
/** 128 bits. In hexadecimal, because Daraja refuses addresses with words such as "sql" in them. */
const MAC_BYTES = 16
const ID_DIGITS = 2 * ID_BYTES
/** A token, and one of those that all orders of an account shared. */
const TOKEN = /(?<![\da-f])[\da-f]{40}(?![\da-f])/g

/**
 * So long after its retirement a key, and the shared token, is still taken: an order of before may be open for weeks, and
 * its operator tells late. As long as what was said with operators is kept.
 */
export const RETIRED_KEYS_KEPT_MS = 90 * 24 * 60 * 60 * 1000
/** A process that was slow to hear of a new key has given addresses by the old one for so long. */
export const RETIRED_KEY_GRACE_MS = 10 * 60 * 1000
/** A new key makes no tokens before every process has heard of it: one that has not would refuse the message. */
export const NEW_KEY_WAITS_MS = 60 * 1000

export const newTokenKey = (random: Random): TokenKey => ({
  id: Buffer.from(random.bytes(ID_BYTES)).toString('hex'),
  secret: Buffer.from(random.bytes(SECRET_BYTES)).toString('hex'),
})

/** The keys after a rotation: those before stay for the orders that are out already, as long as these can report. */
export function withNewKey({ keys, shared }: CallbackKeys, key: TokenKey, now: Date): CallbackKeys {
  const retirement = new Date(now.getTime() + NEW_KEY_WAITS_MS)
  const former = keys.map(({ retiredAt = retirement, ...retired }) => ({ ...retired, retiredAt }))
  return { keys: [key, ...former.filter(({ retiredAt }) => isKept(retiredAt, now))], ...(shared && { shared }) }
}

/** @returns the token of an order; undefined as long as its account has no key */
export function orderToken({ keys }: CallbackKeys, place: TokenPlace, now: Date): string | undefined {
  const key = keys.findLast(({ retiredAt }) => retiredAt === undefined || retiredAt > now)
  return key && tokenBy(key, place)
}

/** In the same time for all wrong tokens of the same key, also where there is no such account. */
export function checkToken({ keys, shared }: CallbackKeys, token: string, place: TokenPlace, now: Date): TokenCheck {
  const named = keys.filter(({ id, retiredAt }) => token.startsWith(id) && isKept(retiredAt, now))
  const key = (named.length > 0 ? named : [NO_KEY]).find((each) => isSame(sha256(token), sha256(tokenBy(each, place))))
  const isShared = isSame(sha256(token), shared?.digest ?? NO_DIGEST)
  if (key && key !== NO_KEY)
    return {
      isValid: true,
      ...(key.retiredAt && { orderedUntil: new Date(key.retiredAt.getTime() + RETIRED_KEY_GRACE_MS) }),
    }
  return isShared && shared && isKept(shared.retiredAt, now)
    ? { isValid: true, orderedUntil: shared.retiredAt }
    : { isValid: false }
}

/** Tokens of an order's addresses that stand in a text, to be masked in it. */
export const tokensIn = (text: string, callbackKeys: CallbackKeys, place: TokenPlace, now: Date): readonly string[] =>
  [...new Set(text.match(TOKEN))].filter((token) => checkToken(callbackKeys, token, place, now).isValid)

function tokenBy({ id, secret }: TokenKey, { installation, orderId }: TokenPlace): string {
  const mac = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${installation}/${orderId}`).digest('hex')
  return id + mac.slice(0, 2 * MAC_BYTES)
}

const NO_KEY: TokenKey = { id: '0'.repeat(ID_DIGITS), secret: '' }
const NO_DIGEST = new Uint8Array(32)

const isKept = (retiredAt: Date | undefined, now: Date): boolean =>
  retiredAt === undefined || now.getTime() - retiredAt.getTime() < RETIRED_KEYS_KEPT_MS

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
