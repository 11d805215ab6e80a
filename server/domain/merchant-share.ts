/** How much of a limit that counts across merchants one merchant may use, in percent: 1 to 100. */
export type MerchantShare = number

/** A merchant's share of a limit: an integer, and at least one, so that nobody is locked out. */
export const merchantPart = (max: number, share: MerchantShare): number => Math.max(1, Math.floor((max * share) / 100))

/** The same for a sum of money in minor units. */
export const merchantPartMinor = (maxMinor: bigint, share: MerchantShare): bigint => (maxMinor * BigInt(share)) / 100n
