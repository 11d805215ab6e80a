import { ConnectionFailed } from '../../storage/driver-errors.ts'

/** The error of a pool when nothing listens on PostgreSQL's port: for tests that return it in place of a reply. */
export const databaseAway = (): Error =>
  new ConnectionFailed('unreachable', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
