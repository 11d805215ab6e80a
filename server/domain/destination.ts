import type { OrderType } from './provider.ts'

/**
 * The destination of a job that sends to a merchant's server: one of a merchant's URLs, by its purpose and not by its
 * current text. An unresponsive server at one of them affects no other destination, not even of the same merchant.
 */
export const destinationOf = (merchantId: bigint, url: OrderType | 'VERIFICATION'): string =>
  `${merchantId}/${url.toLowerCase()}`
