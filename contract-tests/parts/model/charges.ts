interface ChargeRule {
  readonly bps: number
  readonly flatMinor: bigint
}

const BPS_MAX = 10_000
const percentage = (amountMinor: bigint, bps: number): bigint => (amountMinor * BigInt(bps) + 5_000n) / 10_000n

/** Infers the charge rule: a percentage in basis points, rounded half up to the minor unit, plus a flat amount. */
export class ChargeBook {
  readonly #rules = new Map<string, readonly ChargeRule[]>()

  /** @returns whether some rule explains this charge together with all earlier ones */
  explains(option: string, amountMinor: bigint, chargeMinor: bigint): boolean {
    const before = this.#rules.get(option) ?? allRules(amountMinor, chargeMinor)
    const left = before.filter(({ bps, flatMinor }) => percentage(amountMinor, bps) + flatMinor === chargeMinor)
    // An unexplained charge is not learned: the next correct one must not be blamed for it.
    if (left.length > 0) this.#rules.set(option, left)
    return left.length > 0
  }
}

const allRules = (amountMinor: bigint, chargeMinor: bigint): ChargeRule[] =>
  Array.from({ length: BPS_MAX + 1 }, (_, bps) => ({
    bps,
    flatMinor: chargeMinor - percentage(amountMinor, bps),
  })).filter(({ flatMinor }) => flatMinor >= 0n)
