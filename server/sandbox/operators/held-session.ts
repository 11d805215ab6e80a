import type { PoolClient } from 'pg'

/** A connection that is kept for what hangs on it, here the lock. */
export interface HeldSession {
  readonly session: PoolClient
  /** Tells when the connection is gone, also when it is gone already. */
  whenLost(told: () => void): void
  /** Ends the connection; more than once is once. */
  giveUp(): void
}

/** Takes a connection of the pool for as long as it lasts. */
export function hold(session: PoolClient): HeldSession {
  let isLost = false
  let isOver = false
  const told: (() => void)[] = []
  const lose = (): void => {
    isLost = true
    for (const tell of told.splice(0)) tell()
  }
  // It may be lost at any moment, also while what needs it is still starting.
  session.on('end', lose)
  session.on('error', lose)
  return {
    session,
    whenLost(tell) {
      if (isLost) tell()
      else told.push(tell)
    },
    giveUp() {
      if (isOver) return
      isOver = true
      session.release(true)
    },
  }
}
