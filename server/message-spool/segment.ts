/** A file that this process writes, or one that it has taken over. */
export interface Segment {
  readonly name: string
  readonly openedAt: number
  bytes: number
  /** Records that are not in the database yet. */
  waiting: number
  /** The number of damaged sections found so far. */
  corrupt: number
  isTorn: boolean
  /** When a record that cannot be stored is retried. */
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
