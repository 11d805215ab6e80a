/** How much of a bound that counts across merchants one merchant may use, in percent: 1 to 100. */
export type MerchantShare = number

/** A merchant's part of a bound: whole, and at least one, so that nobody is shut out. */
export const merchantPart = (max: number, share: MerchantShare): number => Math.max(1, Math.floor((max * share) / 100))

/** The same of a sum of money in minor units. */
export const merchantPartMinor = (maxMinor: bigint, share: MerchantShare): bigint => (maxMinor * BigInt(share)) / 100n
