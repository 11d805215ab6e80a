import { ConnectionFailed } from '../storage/driver-errors.ts'

/** What a pool rejects with when nobody listens where PostgreSQL was: for tests that put it in place of an answer. */
export const databaseAway = (): Error =>
  new ConnectionFailed('unreachable', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
