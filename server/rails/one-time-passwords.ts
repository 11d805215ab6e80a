import type { OneTimePasswords, Random } from '../actions/ports.ts'

/** What the sandbox's customers always get. */
export const SANDBOX_OTP = 123_456

export interface OneTimePasswordOptions {
  readonly random: Random
  /** Keyed digest of a text: the password alone is too short to be hashed without a key. */
  readonly mac: (text: string) => Uint8Array
  readonly sandbox: boolean
}

/**
 * One-time passwords of six digits that do not start with 0. No operator's message service is connected yet, and live mode has no provider
 * that would need one; in the sandbox the password is the documented one and nothing is sent.
 */
export const createOneTimePasswords = ({ random, mac, sandbox }: OneTimePasswordOptions): OneTimePasswords => ({
  issue: () => (sandbox ? SANDBOX_OTP : randomOtp(random)),
  digest: (internalReference, otp) => mac(`${internalReference}:${otp}`),
  send: async () => {
    if (!sandbox) throw new Error('no message service is connected')
  },
})

/** Evenly from 100,000 to 999,999: values that would favour some are drawn again. */
function randomOtp(random: Random): number {
  for (;;) {
    const [a = 0, b = 0, c = 0] = random.bytes(3)
    const drawn = (a << 16) | (b << 8) | c
    if (drawn < 16_200_000) return 100_000 + (drawn % 900_000)
  }
}
