import type { OneTimePasswords } from '../actions/ports/one-time-passwords.ts'

/** The OTP that all sandbox customers get. */
export const SANDBOX_OTP = 123_456

interface OneTimePasswordOptions {
  /** Keyed digest of a text, 32 bytes: an OTP is too short to be hashed without a key. */
  readonly mac: (text: string) => Uint8Array
  readonly sandbox: boolean
  /** The message service. Undefined: the sandbox sends nothing, and elsewhere every send fails. */
  readonly send?: OneTimePasswords['send'] | undefined
}

/**
 * One-time passwords (OTPs) of six digits that do not start with 0. No operator's message service is connected yet,
 * and live mode has no provider that would need one. In the sandbox the OTP is the documented one and nothing is sent.
 */
export const createOneTimePasswords = ({ mac, sandbox, send }: OneTimePasswordOptions): OneTimePasswords => ({
  issue: (internalReference, n) => (sandbox ? SANDBOX_OTP : derivedOtp(mac(`issue:${internalReference}:${n}`))),
  digest: (internalReference, otp) => mac(`${internalReference}:${otp}`),
  send:
    send ??
    (async () => {
      if (!sandbox) throw new Error('no message service is connected')
    }),
})

/**
 * From 100,000 to 999,999, like RFC 4226, which derives a password from a keyed digest. With 48 bits the bias towards
 * some values is about 10⁻⁹.
 */
const derivedOtp = (digest: Uint8Array): number => 100_000 + (Buffer.from(digest).readUIntBE(0, 6) % 900_000)
