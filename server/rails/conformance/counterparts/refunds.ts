/** Of counterparts whose orders are payments, or refunds. */
export const NO_REFUND = { refunds: 'it is a payment' } as const
export const NO_PAYMENT = { payments: 'a refund is no payment: merchants order it of one' } as const

/** An account number within the id of a collection: no record may show it whole. */
export const backwards = (digits: string): string => [...digits].toReversed().join('')
