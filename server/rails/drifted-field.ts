/** A deviation of a message from its operator's contract, without any value that the operator sent. */
export interface Drift {
  /**
   * Its path in the contract's names: `payer.partyIdType`, `Item[].Value`; names that the contract does not know
   * become `*`.
   */
  readonly field: string
  /** `null in the place of an object`, `is missing`, … */
  readonly shape: string
}
