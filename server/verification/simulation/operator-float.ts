import type { RailOrder } from '../../actions/ports/rail.ts'
import type { PayoutTerms } from '../../domain/payout-waits.ts'
import { HOUR, MINUTE } from './spans.ts'

export const WAIT_MS = HOUR
/** The state of the operator is read before the commit that says so. */
export const BETWEEN_MS = MINUTE

/** What an operator holds for us, and whether it answers. It takes the money of a payout when it accepts it. */
export class SimulatedFloat {
  /** Undefined: as much as it takes, and it does not say how much. */
  private balanceMinor: bigint | undefined
  private readonly states: { readonly operator: PayoutTerms['operator']; readonly fromMs: number }[] = []
  readonly readsMs: number[] = []
  /** Payouts that it refused because it held too little, and when first. */
  readonly refused = new Map<string, number>()

  termsAt(railAccount: string): PayoutTerms {
    const operator = this.states.at(-1)?.operator ?? 'there'
    return { railAccount, waitMs: WAIT_MS, operator, hasFloat: this.balanceMinor !== undefined }
  }

  get isAway(): boolean {
    return this.states.at(-1)?.operator === 'away'
  }

  become(operator: PayoutTerms['operator'], fromMs: number): void {
    this.states.push({ operator, fromMs })
  }

  topUp(minor: bigint): void {
    this.balanceMinor = (this.balanceMinor ?? 0n) + minor
  }

  read(): bigint {
    return this.balanceMinor ?? 0n
  }

  /** @returns false when it does not hold that much */
  pay({ type, amount, internalReference }: RailOrder, nowMs: number): boolean {
    if (type !== 'PAYOUT' || this.balanceMinor === undefined) return true
    if (amount.amountMinor > this.balanceMinor)
      this.refused.set(internalReference, this.refused.get(internalReference) ?? nowMs)
    else this.balanceMinor -= amount.amountMinor
    return !this.refused.has(internalReference)
  }

  /** Whether it was in one of these states at some time just before. */
  wasJustBefore(atMs: number, ...operators: readonly PayoutTerms['operator'][]): boolean {
    return [{ operator: 'there' as const, fromMs: 0 }, ...this.states].some(
      ({ operator, fromMs }, index) =>
        fromMs <= atMs && (this.states[index]?.fromMs ?? Infinity) >= atMs - BETWEEN_MS && operators.includes(operator),
    )
  }
}
