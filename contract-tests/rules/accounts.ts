import { OTHER_RECEIVER_PATHS, RECEIVER_PATHS } from '../harness/receiver-paths.ts'
import type { Target } from '../harness/part.ts'
import type { Account } from './secrets/known-secrets.ts'

/** The merchants of a target, with their keys and the paths at which their messages arrive. */
export const accountsOf = (target: Omit<Target, 'own'>): readonly (Account | undefined)[] => {
  const { receiver, other } = target
  return [
    { ...target, ...receiver, paths: Object.values(RECEIVER_PATHS) },
    other && { ...other, ...other.receiver, paths: Object.values(OTHER_RECEIVER_PATHS) },
  ]
}
