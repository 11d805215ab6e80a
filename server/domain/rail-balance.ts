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

/** An average of what is handed over in a day, in which a day counts half as much as the one two days later. */
export interface AverageSpend {
  /** Not yet divided by the weight of the time that it covers. */
  readonly spentMinor: bigint
  readonly since: Date
  readonly readAt: Date
}

const DAY_MS = 24 * 3_600_000
const AVERAGED_MS = 3 * DAY_MS
/** An average of a shorter time says nothing. */
const AVERAGED_MS_MIN = 3_600_000
const weightOf = (ms: number): number => -Math.expm1(-Math.max(ms, 0) / AVERAGED_MS)

/** The average after another period. @param handedMinor what was handed over in it; before: undefined at first */
export function averageSpend(before: AverageSpend | undefined, handedMinor: bigint, now: Date): AverageSpend {
  if (!before) return { spentMinor: 0n, since: now, readAt: now }
  const elapsedMs = now.getTime() - before.readAt.getTime()
  if (elapsedMs <= 0) return before
  const weight = weightOf(elapsedMs)
  const dailyMinor = (Number(handedMinor) * DAY_MS) / elapsedMs
  const spent = Number(before.spentMinor) * (1 - weight) + dailyMinor * weight
  return { spentMinor: BigInt(Math.round(spent)), since: before.since, readAt: now }
}

/** Centuries: as good as for ever. */
const DAYS_MAX = 100_000

/** For how many days a float lasts at the average spend. @returns undefined while that is not known, or nothing is spent */
export function daysLeft(floatMinor: bigint, { spentMinor, since, readAt }: AverageSpend): number | undefined {
  const coveredMs = readAt.getTime() - since.getTime()
  if (coveredMs < AVERAGED_MS_MIN || spentMinor <= 0n) return undefined
  const days = (Number(floatMinor) * weightOf(coveredMs)) / Number(spentMinor)
  return Math.min(DAYS_MAX, Math.max(0, days))
}
