import { createHash, createHmac } from 'node:crypto'
import { isSameBytes } from './same-bytes.ts'
import type { Random } from './references.ts'

// Each order of a rail account has its own address for the operator's reports. The token in it is derived from the
// order id and a secret of the account, so that it can be checked without the database: that may be unavailable when
// the operator's only message arrives.

/** The key from which the tokens of a rail account's orders are derived. */
export interface TokenKey {
  /** Prefix of each of its tokens, not secret. */
  readonly id: string
  /** In hexadecimal: never log or show it. */
  readonly secret: string
  /** When a newer key replaces it. Absent: it is the newest. */
  readonly retiredAt?: Date
}

/** The keys against which the tokens in a rail account's addresses are checked. */
export interface CallbackKeys {
  /** Newest first. The oldest key that is not retired derives the tokens of new orders. */
  readonly keys: readonly TokenKey[]
}

/**
 * Stands in an address for the order: the address of a rail account itself, for an operator with one for all orders. No
 * order id looks like it.
 */
export const ACCOUNT_ADDRESS = 'account'

/** The rail account and the order that the address of a token belongs to. */
interface TokenPlace {
  readonly railAccount: string
  /** In lower case; or `ACCOUNT_ADDRESS`. */
  readonly orderId: string
}

/** `orderedUntil`: the token is valid for an order only if that order is not younger. */
type TokenCheck = { readonly isValid: false } | { readonly isValid: true; readonly orderedUntil?: Date }

const ID_BYTES = 4
const SECRET_BYTES = 32
/** 128 bits. In hexadecimal, because an operator refuses addresses with words such as "sql" in them. */
const MAC_BYTES = 16
const ID_DIGITS = 2 * ID_BYTES
const TOKEN = /(?<![\da-f])[\da-f]{40}(?![\da-f])/g

/**
 * How long a retired key stays valid: an earlier order may be open for weeks, and its operator may report late.
 * Exchanges with operators are kept for the same time.
 */
export const RETIRED_KEYS_KEPT_MS = 90 * 24 * 60 * 60 * 1000
/**
 * For this long after the retirement, a process that has not loaded the new key may still give out addresses with the
 * old one.
 */
export const RETIRED_KEY_GRACE_MS = 10 * 60 * 1000
/** A new key derives no tokens until every process has loaded it: a process without it would reject the message. */
export const NEW_KEY_WAITS_MS = 60 * 1000

export const newTokenKey = (random: Random): TokenKey => ({
  id: Buffer.from(random.bytes(ID_BYTES)).toString('hex'),
  secret: Buffer.from(random.bytes(SECRET_BYTES)).toString('hex'),
})

/** The keys after a rotation. Older keys stay valid for orders that are already out, as long as these can report. */
export function withNewKey({ keys }: CallbackKeys, key: TokenKey, now: Date): CallbackKeys {
  const retirement = new Date(now.getTime() + NEW_KEY_WAITS_MS)
  const former = keys.map(({ retiredAt = retirement, ...retired }) => ({ ...retired, retiredAt }))
  return { keys: [key, ...former.filter(({ retiredAt }) => isKept(retiredAt, now))] }
}

/** @returns the token of an order; undefined if its account has no key yet */
export function orderToken({ keys }: CallbackKeys, place: TokenPlace, now: Date): string | undefined {
  const key = keys.findLast(({ retiredAt }) => retiredAt === undefined || retiredAt > now)
  return key && tokenBy(key, place)
}

/** Takes the same time for all wrong tokens of the same key, also if the account does not exist. */
export function checkToken({ keys }: CallbackKeys, token: string, place: TokenPlace, now: Date): TokenCheck {
  const named = keys.filter(({ id, retiredAt }) => token.startsWith(id) && isKept(retiredAt, now))
  const key = (named.length > 0 ? named : [NO_KEY]).find((each) =>
    isSameBytes(sha256(token), sha256(tokenBy(each, place))),
  )
  if (!key || key === NO_KEY) return { isValid: false }
  return {
    isValid: true,
    ...(key.retiredAt && { orderedUntil: new Date(key.retiredAt.getTime() + RETIRED_KEY_GRACE_MS) }),
  }
}

/** Finds tokens of orders' addresses in a text, so that they can be masked. */
export const tokensIn = (text: string, callbackKeys: CallbackKeys, place: TokenPlace, now: Date): readonly string[] =>
  [...new Set(text.match(TOKEN))].filter((token) => checkToken(callbackKeys, token, place, now).isValid)

function tokenBy({ id, secret }: TokenKey, { railAccount, orderId }: TokenPlace): string {
  const mac = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${railAccount}/${orderId}`).digest('hex')
  return id + mac.slice(0, 2 * MAC_BYTES)
}

const NO_KEY: TokenKey = { id: '0'.repeat(ID_DIGITS), secret: '' }

const isKept = (retiredAt: Date | undefined, now: Date): boolean =>
  retiredAt === undefined || now.getTime() - retiredAt.getTime() < RETIRED_KEYS_KEPT_MS

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
