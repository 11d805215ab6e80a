/** When a merchant was suspended, while it is, and when its last suspension ended. */
export interface Suspension {
  readonly suspendedAt?: Date
  readonly resumedAt?: Date
}

export interface SuspensionReads {
  /**
   * Reads the merchants' own rows, never a cache: what a suspension stops must not go on because a process learns of it
   * late. Merchants that were never suspended are missing.
   */
  suspensions(merchantIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Suspension>>
}
