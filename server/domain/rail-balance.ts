/** A rail account's money at one moment according to our ledger, in minor units. */
export interface BookedMoney {
  /** What should be at the operator according to all bookings. */
  readonly ledgerMinor: bigint
  /** What orders without a result may already have moved. */
  readonly openInMinor: bigint
  readonly openOutMinor: bigint
}

/**
 * The part of an operator's reported balance that neither our ledger nor the orders in flight explain. The operator
 * answers at some moment between two readings of the ledger.
 * @param toleranceMinor a difference up to this, either way, is ignored
 * @returns zero if it can be explained; above zero there is more than there should be
 */
export function unexplained(polls: readonly BookedMoney[], operatorMinor: bigint, toleranceMinor: bigint): bigint {
  const lows = polls.map(({ ledgerMinor, openOutMinor }) => ledgerMinor - openOutMinor)
  const highs = polls.map(({ ledgerMinor, openInMinor }) => ledgerMinor + openInMinor)
  const low = lows.reduce((least, each) => (each < least ? each : least), lows[0] ?? operatorMinor)
  const high = highs.reduce((most, each) => (each > most ? each : most), highs[0] ?? operatorMinor)
  if (operatorMinor > high + toleranceMinor) return operatorMinor - high
  if (operatorMinor < low - toleranceMinor) return operatorMinor - low
  return 0n
}
