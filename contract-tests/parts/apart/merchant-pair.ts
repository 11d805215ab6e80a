import { createFixture, type DriverFixture } from '../../driver/fixture.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { Keys } from '../../driver/requests.ts'
import type { RunOptions, Target } from '../../harness/part.ts'

/** One of two merchants. */
export interface Merchant extends Keys {
  readonly name: 'the first merchant' | 'the second merchant'
  /** Used in descriptions and redirect addresses. */
  readonly letter: 'A' | 'B'
  readonly url: string
}

/** The two merchants, and the state that all checks of the part share. */
export interface MerchantPair {
  readonly fixture: DriverFixture
  readonly first: Merchant
  readonly second: Merchant
  /** Each merchant with the other one. */
  readonly ways: readonly (readonly [one: Merchant, other: Merchant])[]
}

export function createPair(
  target: Target,
  other: NonNullable<Target['other']>,
  options: Pick<RunOptions, 'seed' | 'size'>,
): MerchantPair {
  const { url, publicKey, secretKey } = target
  const first: Merchant = { name: 'the first merchant', letter: 'A', url, publicKey, secretKey }
  const second: Merchant = { ...other, name: 'the second merchant', letter: 'B', url }
  const ways = [
    [first, second],
    [second, first],
  ] as const
  return { fixture: createFixture(target, options, { prefix: 'APART' }), first, second, ways }
}

/** Both merchants as drivers of one story. */
export function driversOf({ fixture, first, second }: MerchantPair, name: string) {
  const driver: PaymentDriver = fixture.driver(name)
  return { driver, one: driver.as(first), other: driver.as(second) }
}

/** A merchant without a verification URL cannot pay out. */
export const paysOut = ({ fixture }: MerchantPair): boolean =>
  !fixture.skippedChecks.some((what) => what.includes('a payout'))
