export interface Announcement {
  readonly reference: string
  readonly type: 'COLLECTION' | 'PAYOUT'
  readonly amount: number
  readonly currency: string
}

/** Parses what `malipo-dev check` announces to a shop in development; absent when it is anything else. */
export function readAnnouncement(body: unknown): Announcement | undefined {
  if (
    typeof body !== 'object' ||
    body === null ||
    !('merchant_reference' in body && 'transaction_type' in body && 'amount' in body && 'currency' in body)
  )
    return undefined
  const { merchant_reference: reference, transaction_type: type, amount, currency } = body
  if (
    typeof reference !== 'string' ||
    (type !== 'COLLECTION' && type !== 'PAYOUT') ||
    typeof amount !== 'number' ||
    typeof currency !== 'string'
  )
    return undefined
  return { reference, type, amount, currency }
}
