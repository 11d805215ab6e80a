import type { RailCallback } from './ports/rail-callbacks.ts'
import type { Rail } from './ports/rail.ts'

/**
 * Whether a message claims that its order has succeeded or failed, true or not, also where it has too little data to
 * be trusted. Messages with a verdict are stored before others. A message that cannot be read, or not now, has none.
 */
export function claimsVerdict({ readCallback }: Pick<Rail, 'readCallback'>, callback: RailCallback): boolean {
  try {
    const reading = readCallback?.(callback.railAccount, callback)
    return reading?.outcome !== undefined || reading?.claimsPaid === true
  } catch {
    return false
  }
}
