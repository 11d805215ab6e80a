import type { RailCallback } from './ports/rail-callbacks.ts'
import type { Rail } from './ports/rail.ts'

/**
 * Whether a message says that its order has succeeded or failed, true or not, also where it says too little to be
 * believed: messages that do are stored before others. What cannot be read, or not now, says neither.
 */
export function claimsVerdict({ readCallback }: Pick<Rail, 'readCallback'>, callback: RailCallback): boolean {
  try {
    const reading = readCallback?.(callback.installation, callback)
    return reading?.outcome !== undefined || reading?.claimsPaid === true
  } catch {
    return false
  }
}
