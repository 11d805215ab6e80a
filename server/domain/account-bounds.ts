import { Refusal } from './refusal.ts'

// What is bounded per account number, over all merchants, transactions and processes: otherwise whoever has some public
// key could have a phone rung all day, guess passwords by opening one collection after the other, or make a number
// unusable.

/** One-time passwords sent and wrong ones entered count for this long. */
export const OTP_WINDOW_MS = 24 * 60 * 60 * 1000
/** Payment pages of one account number that are open at the same time. */
export const OPEN_PAGES_MAX = 20

/** Set by the operator; see config.ts. */
export interface OtpBounds {
  /** Passwords sent to an account number in 24 hours. */
  readonly sendsMax: number
  /** Wrong passwords entered for an account number in 24 hours. */
  readonly wrongTriesMax: number
}

export type AccountUseKind = 'otp_send' | 'otp_wrong' | 'open_page'

/** Something that counts toward a bound of an account number. */
export interface AccountUse {
  readonly kind: AccountUseKind
  /** The which of its kind for its transaction, from 1. */
  readonly number: number
  readonly countsUntil: Date
}

/** The same, before it is known whether there is room for it. */
export interface BoundedUse extends AccountUse {
  /** So many of its kind may count at the same time. */
  readonly max: number
  /** What else stands in its way: a password is not sent to whose passwords are no longer looked at. */
  readonly unless?: { readonly kind: AccountUseKind; readonly max: number }
}

/** Whether there is no room for it. */
export const isFull = ({ kind, max, unless }: BoundedUse, countOf: (kind: AccountUseKind) => number): boolean =>
  countOf(kind) >= max || (unless !== undefined && countOf(unless.kind) >= unless.max)

const dayAfter = (now: Date): Date => new Date(now.getTime() + OTP_WINDOW_MS)

/** The use that sending the session's `number`th password is; it counts for a day. */
export const otpSend = (number: number, { sendsMax, wrongTriesMax }: OtpBounds, now: Date): BoundedUse => ({
  kind: 'otp_send',
  number,
  countsUntil: dayAfter(now),
  max: sendsMax,
  unless: { kind: 'otp_wrong', max: wrongTriesMax },
})
/** The use that a wrong password is; it counts for a day. */
export const wrongOtp = (number: number, now: Date): AccountUse => ({
  kind: 'otp_wrong',
  number,
  countsUntil: dayAfter(now),
})
/** The use that an open payment page is; it counts until the page ends. */
export const openPage = ({ expiresAt }: { readonly expiresAt: Date }): BoundedUse => ({
  kind: 'open_page',
  number: 1,
  countsUntil: expiresAt,
  max: OPEN_PAGES_MAX,
})

/** What a merchant reads when a bound is reached. None tells how much of it is used: a stranger may ask. */
export function boundRefusal(kind: AccountUseKind): Refusal {
  switch (kind) {
    case 'otp_send':
      return new Refusal('too_many_otps', 'Too many one-time passwords for this account number within 24 hours')
    case 'otp_wrong':
      return new Refusal(
        'too_many_wrong_otps',
        'Too many wrong one-time passwords for this account number within 24 hours',
      )
    case 'open_page':
      return new Refusal('too_many_open_pages', 'Too many open payment pages for this account number')
  }
}
