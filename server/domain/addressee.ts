import type { TransactionType } from './provider.ts'

/**
 * What work that goes to a merchant's server has in common with other work: one URL of one merchant, whatever the URL is
 * by now. A server that hangs at one of them takes nothing from the others, not even of the same merchant.
 */
export const addresseeOf = (merchantId: bigint, url: TransactionType | 'VERIFICATION'): string =>
  `${merchantId}/${url.toLowerCase()}`
