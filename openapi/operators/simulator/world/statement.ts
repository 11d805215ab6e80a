/** A line of the operator's books: its statement's record of one movement of money, planted differences included. */
export interface Booking {
  readonly receipt: string
  readonly orderId: string
  readonly externalId: string
  readonly kind: string
  readonly direction: 'in' | 'out'
  readonly account: string
  readonly msisdn: string
  readonly amount: string
  readonly fee: string
  readonly currency: string
  readonly bookedAt: Date
  /** The balance of the account afterwards. */
  readonly balance: string
  /** For people: how this line differs from the real movement. No statement contains it. */
  readonly planted?: 'doubled' | 'amount' | 'fee' | 'late'
}

interface Period {
  /** Included. */
  readonly from?: Date
  /** Not included. */
  readonly to?: Date
  readonly account?: string
}

export type Statement = ReturnType<typeof createStatement>

export function createStatement() {
  const bookings: Booking[] = []
  return {
    book: (booking: Booking): void => void bookings.push(booking),
    /** By the time of booking. */
    lines: ({ from, to, account }: Period = {}): readonly Booking[] =>
      bookings
        .filter(
          (booking) =>
            (from === undefined || booking.bookedAt >= from) &&
            (to === undefined || booking.bookedAt < to) &&
            (account === undefined || booking.account === account),
        )
        .sort((one, other) => one.bookedAt.getTime() - other.bookedAt.getTime()),
  }
}
