/** An order that a line of a statement may belong to, found by an id that both have. */
export interface Candidate {
  readonly transactionId: bigint
  /** The kind of the shared id: `ours` was sent with the order, `theirs` came with its result. */
  readonly by: 'ours' | 'theirs'
  readonly direction: 'in' | 'out'
  /** The ordered amount, in minor units. */
  readonly amountMinor: bigint
}

/**
 * Chooses the order of a line among several that share an id with it: ids that operators truncate or customers type
 * are not always unique. Our own id ranks first, then the ordered direction, then the ordered amount.
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
