import type { PoolClient } from 'pg'

/** A dedicated connection for state that is tied to it, here the lock. */
export interface HeldSession {
  readonly session: PoolClient
  /** Calls back when the connection is lost, also if it is lost already. */
  whenLost(reported: () => void): void
  /** Ends the connection; idempotent. */
  giveUp(): void
}

/** Holds a pool connection until it ends. */
export function hold(session: PoolClient): HeldSession {
  let isLost = false
  let isOver = false
  const reported: (() => void)[] = []
  const lose = (): void => {
    isLost = true
    for (const report of reported.splice(0)) report()
  }
  // It may be lost at any moment, even while the code that needs it is starting.
  session.on('end', lose)
  session.on('error', lose)
  return {
    session,
    whenLost(report) {
      if (isLost) report()
      else reported.push(report)
    },
    giveUp() {
      if (isOver) return
      isOver = true
      session.release(true)
    },
  }
}
