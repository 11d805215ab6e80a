/** What our book says of an installation's money at one moment, in minor units. */
export interface BookedMoney {
  /** What should be at the operator by all that is booked. */
  readonly ledgerMinor: bigint
  /** What orders without a result may have moved already. */
  readonly openInMinor: bigint
  readonly openOutMinor: bigint
}

/**
 * What neither our book nor the orders that are on their way explain of an operator's own balance: the operator answers
 * at some moment between two looks at the book.
 * @param toleranceMinor so much either way is nothing
 * @returns zero where it can be explained; above zero there is more than there should be
 */
export function unexplained(looks: readonly BookedMoney[], operatorMinor: bigint, toleranceMinor: bigint): bigint {
  const lows = looks.map(({ ledgerMinor, openOutMinor }) => ledgerMinor - openOutMinor)
  const highs = looks.map(({ ledgerMinor, openInMinor }) => ledgerMinor + openInMinor)
  const low = lows.reduce((least, each) => (each < least ? each : least), lows[0] ?? operatorMinor)
  const high = highs.reduce((most, each) => (each > most ? each : most), highs[0] ?? operatorMinor)
  if (operatorMinor > high + toleranceMinor) return operatorMinor - high
  if (operatorMinor < low - toleranceMinor) return operatorMinor - low
  return 0n
}
