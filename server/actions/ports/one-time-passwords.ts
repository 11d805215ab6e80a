/** Generates OTPs and sends them to the customer's phone. */
export interface OneTimePasswords {
  /**
   * The OTP of a collection's n-th send: six digits that do not start with 0. It is derived from the send, so that it
   * need not be stored, and a send that is repeated after a crash carries the same OTP. The sandbox always gives the
   * documented one.
   */
  issue(internalReference: string, send: number): number
  /** Keyed digest: stored instead of the OTP. */
  digest(internalReference: string, otp: number): Uint8Array
  /**
   * Takes seconds at most. Rejects when the message service did not confirm that it took the OTP: it may have taken it
   * all the same.
   */
  send(account: string, otp: number): Promise<void>
}
