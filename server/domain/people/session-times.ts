/** A session that nobody uses ends after this time. */
export const SESSION_IDLE_MS = 30 * 60_000
/** Every session ends after this time. */
export const SESSION_MS = 12 * 3_600_000
/** How old a sign-in may be before money moves, or the ways to sign in change. */
export const RECENT_MS = 5 * 60_000
