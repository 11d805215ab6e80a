/** Makes one-time passwords and sends them to the customer's phone. */
export interface OneTimePasswords {
  /**
   * The password of a collection's n-th send: six digits that do not start with 0. Always the same for the same send,
   * so that it need be kept nowhere, and a send that is repeated after a crash carries what the first one did. The
   * sandbox always gives the documented one.
   */
  issue(internalReference: string, send: number): number
  /** Keyed digest: what is stored instead of the password. */
  digest(internalReference: string, otp: number): Uint8Array
  /**
   * Within seconds. Rejects when the message service did not say that it took the password: perhaps it did all the
   * same.
   */
  send(account: string, otp: number): Promise<void>
}
