import type { RailCallback } from './ports/rail-callbacks.ts'
import type { Rail } from './ports/rail.ts'

/**
 * Whether a message says that its order has succeeded or failed, true or not: messages that do are stored before others.
 * What cannot be read, or not now, says neither.
 */
export function claimsVerdict({ readCallback }: Pick<Rail, 'readCallback'>, callback: RailCallback): boolean {
  try {
    return readCallback?.(callback.installation, callback)?.outcome !== undefined
  } catch {
    return false
  }
}
