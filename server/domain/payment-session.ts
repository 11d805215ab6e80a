import type { Failure } from './failure-code.ts'

/** Lifetime of a payment page. A collection whose customer has not finished by then fails. */
export const PAGE_LIFETIME_MS = 30 * 60 * 1000
export const PAGE_EXPIRED = { reason: 'Payment page expired', code: 'expired' } as const satisfies Failure
export const OTP_LIFETIME_MS = 5 * 60 * 1000
/** Wrong tries over the whole lifetime of a collection: a new OTP does not give new tries. */
export const OTP_TRIES_MAX = 5
/** The message after a wrong OTP, the same each time. */
export const INVALID_OTP = 'Invalid OTP'
export const OTP_EXHAUSTED = {
  reason: 'Too many wrong one-time passwords',
  code: 'declined',
} as const satisfies Failure
/** How long a customer waits before another OTP can be sent, and how many OTPs there are in all. */
const OTP_RESEND_AFTER_MS = 30 * 1000
export const OTP_SENDS_MAX = 5
export const CANCELLED = { reason: 'The customer cancelled the payment', code: 'cancelled' } as const satisfies Failure

/**
 * The customer's next step in a collection. `nothing`: it is on its way to the rail. `retry`: an attempt has failed,
 * and another one may be made.
 */
export interface PaymentSession {
  readonly transactionId: bigint
  readonly awaits: 'confirmation' | 'otp' | 'retry' | 'nothing'
  readonly expiresAt: Date
  readonly otpTriesLeft: number
  readonly otp?: Otp
  /** The customer may try again after a failure: each try is an attempt with an order of its own (attempts.ts). */
  readonly retries?: true
}

/** The newest OTP: the only valid one. */
export interface Otp {
  /** Keyed digest of the OTP. */
  readonly digest: Uint8Array
  /** Absent while it is on its way: its five minutes have not started. */
  readonly sentAt?: Date
  /** How many OTPs have been issued, this one included. */
  readonly sends: number
}

/** Starts a page that waits for its customer for PAGE_LIFETIME_MS. */
export const newSession = (now: Date): Omit<PaymentSession, 'transactionId'> => ({
  awaits: 'confirmation',
  expiresAt: new Date(now.getTime() + PAGE_LIFETIME_MS),
  otpTriesLeft: OTP_TRIES_MAX,
})

/**
 * Whether a collection starts on the payment page, so that the acceptance reply contains its address. A collection
 * whose OTP is sent at once has a page too, but its address is in the reply of authorize (source: Collection
 * acknowledgement).
 */
export const beginsOnPage = (session: Pick<PaymentSession, 'awaits'> | undefined): boolean =>
  session?.awaits === 'confirmation'

/** The session with a new OTP that has to be sent to the customer. */
export const withOtp = <Session extends Omit<PaymentSession, 'transactionId'>>(
  session: Session,
  digest: Uint8Array,
): Session => ({ ...session, awaits: 'otp', otp: { digest, sends: nextSend(session) } })

/** The number of the next OTP of this session, from 1. */
export const nextSend = ({ otp }: Pick<PaymentSession, 'otp'>): number => (otp?.sends ?? 0) + 1

/** The session after its OTP was sent: its five minutes start. */
export const withOtpSent = (session: PaymentSession, otp: Otp, now: Date): PaymentSession => ({
  ...session,
  otp: { ...otp, sentAt: now },
})

/** The OTP that is still to be sent, if there is one. */
export const unsentOtp = ({ awaits, otp, expiresAt }: PaymentSession, now: Date): Otp | undefined =>
  awaits === 'otp' && otp?.sentAt === undefined && now < expiresAt ? otp : undefined

/** The session after its customer's last step. */
export const withoutSteps = (session: PaymentSession): PaymentSession => ({ ...session, awaits: 'nothing' })

type OtpTry = { readonly result: 'right' | 'wrong' | 'exhausted'; readonly session: PaymentSession }

/** Checks an OTP: either it is the right one within its five minutes, or one try is used up. */
export function tryOtp(session: PaymentSession, matches: boolean, now: Date): OtpTry {
  const alive =
    session.otp !== undefined &&
    (session.otp.sentAt === undefined || now.getTime() < session.otp.sentAt.getTime() + OTP_LIFETIME_MS)
  if (matches && alive) return { result: 'right', session: withoutSteps(session) }
  const otpTriesLeft = session.otpTriesLeft - 1
  return otpTriesLeft > 0
    ? { result: 'wrong', session: { ...session, otpTriesLeft } }
    : { result: 'exhausted', session: { ...withoutSteps(session), otpTriesLeft: 0 } }
}

/** When the customer may request another OTP; undefined when there are no more, or while the last one is on its way. */
export function nextOtpAt({ otp }: PaymentSession): Date | undefined {
  if (!otp?.sentAt || otp.sends >= OTP_SENDS_MAX) return undefined
  return new Date(otp.sentAt.getTime() + OTP_RESEND_AFTER_MS)
}
