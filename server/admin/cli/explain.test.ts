import { expect, test, vi } from 'vitest'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import { ConnectionFailed } from '../../storage/driver-errors.ts'
import { explain } from './explain.ts'

const failure = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more })

test('no message repeats the password of DATABASE_URL', () => {
  vi.stubEnv('DATABASE_URL', 'postgres://amina:s3cret%2Fpw@db.example:6543/shop')
  const errors = [
    failure('28P01', 'password authentication failed'),
    failure('3D000', 'no database'),
    failure('ECONNREFUSED', 'connect ECONNREFUSED'),
    failure('53300', 'too many'),
    new AggregateError([failure('ECONNREFUSED', '')]),
    failure('ERR_INVALID_URL', 'Invalid URL', { input: 's3cret' }),
  ]
  for (const error of errors) {
    const { message, exitCode } = explain(error)
    expect(message).not.toMatch(/s3cret/)
    expect(message.split('\n').length).toBeLessThanOrEqual(2)
    expect(exitCode).toBe(1)
  }
  expect(explain(errors[0]).message).toContain('PostgreSQL at db.example:6543 refuses the user amina')
  vi.unstubAllEnvs()
})

test('an unexpected fault shows no numbers or secrets, not even with LOG_LEVEL=debug', () => {
  vi.stubEnv('LOG_LEVEL', 'debug')
  const faults = [
    failure('22P02', 'invalid input syntax for type bigint: "Amina"'),
    new Error('the reply was no JSON: otp=4821, +256 772 555 123'),
  ]
  for (const fault of faults) {
    expect(explain(fault).message).toMatch(/it failed unexpectedly: .*\n.*\n {4}at /s)
    expect(explain(fault).message).not.toMatch(/Amina|4821|772/)
  }
  vi.unstubAllEnvs()
})

test('a port that needs more rights says so', () => {
  expect(
    explain(failure('EACCES', 'listen EACCES', { syscall: 'listen', port: 80, address: '127.0.0.1' })).message,
  ).toContain('port 80 may not be used by this user')
})

test('a database lost during a start is unreachable, whatever the driver calls it', () => {
  vi.stubEnv('DATABASE_URL', 'postgres://amina@db.example:6543/shop')
  for (const error of [
    new ConnectionFailed('lost', new Error('Connection terminated unexpectedly')),
    new ConnectionFailed('lost', new Error('Client has encountered a connection error and is not queryable')),
    failure('57P01', 'terminating connection due to administrator command'),
  ])
    for (const reported of [error, new StorageUnavailable(error)])
      expect(explain(reported).message).toContain(`PostgreSQL at db.example:6543 cannot be reached (${error.message})`)
  vi.unstubAllEnvs()
})

test('explains what to set when a pooler refuses our session settings', () => {
  vi.stubEnv('DATABASE_URL', 'postgres://amina:s3cret@pooler:6432/shop')
  expect(explain(failure('08P01', 'unsupported startup parameter: options')).message).toContain(
    'malipo: the pooler (pgbouncer) in front of PostgreSQL does not fit: it refuses the settings of our sessions.\nSet ignore_startup_parameters = options,statement_timeout,',
  )
  vi.unstubAllEnvs()
})
