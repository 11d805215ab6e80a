/** A file of this process' own, or one that it has taken over. */
export interface Segment {
  readonly name: string
  readonly openedAt: number
  bytes: number
  /** Records that are not in the database yet. */
  waiting: number
  /** What is damaged in it, as far as it was read. */
  corrupt: number
  isTorn: boolean
  /** A record in it cannot be stored: it is tried again then. */
  retryAt: number
  retries: number
}

export const newSegment = (name: string, openedAt: number): Segment => ({
  name,
  openedAt,
  bytes: 0,
  waiting: 0,
  corrupt: 0,
  isTorn: false,
  retryAt: 0,
  retries: 0,
})
