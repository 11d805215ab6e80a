/** An order that a line of a statement may be about, found by a name that both have. */
export interface Candidate {
  readonly transactionId: bigint
  /** Whose name of it they share: `ours` was on its way with the order, `theirs` came with its result. */
  readonly by: 'ours' | 'theirs'
  readonly direction: 'in' | 'out'
  /** What the operator was asked to move, in minor units. */
  readonly amountMinor: bigint
}

/**
 * Which order a line is about, of several with its name: names that operators cut short or customers type are not always
 * one order's alone. Our own name of it counts first, then that it moved the way and the amount that was ordered.
 * @returns undefined when there is none
 */
export function chooseOrder(
  line: Pick<Candidate, 'direction' | 'amountMinor'>,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const rank = ({ by, direction, amountMinor }: Candidate): number =>
    (by === 'ours' ? 0 : 4) + (direction === line.direction ? 0 : 2) + (amountMinor === line.amountMinor ? 0 : 1)
  const [chosen] = candidates.toSorted(
    (one, other) => rank(one) - rank(other) || (one.transactionId < other.transactionId ? -1 : 1),
  )
  return chosen
}
