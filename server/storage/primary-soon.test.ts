import pg from 'pg'
import { expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { ConnectionFailed, NoWritableHost, ReadOnlyDatabase } from './driver-errors.ts'
import { mayTakeWritesSoon } from './primary-soon.ts'

const sqlState = (code: string): Error => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code })

test.each<[string, boolean, unknown]>([
  ['a standby', true, new ReadOnlyDatabase('in_recovery')],
  ['a proxy without a backend', true, new ConnectionFailed('lost', new Error('ended'))],
  ['hosts of which one is a standby', true, new NoWritableHost(new Map([['a', new ReadOnlyDatabase('in_recovery')]]))],
  ['hosts that are not there', false, new NoWritableHost(new Map([['a', new ConnectionFailed('unreachable', 'x')]]))],
  ['an address without a host', false, new ConnectionFailed('unreachable', new Error('refused'))],
  ['a missing password', false, new ConnectionFailed('no_password', new Error('none'))],
  ['a start that is refused because PostgreSQL starts', true, sqlState('57P03')],
  ['a statement that a standby refused', true, new StorageUnavailable(sqlState('25006'))],
  ['a refused password', false, sqlState('28P01')],
  ['a database that is not there', false, sqlState('3D000')],
  ['a fault of ours', false, new TypeError('x is not a function')],
  ['nothing', false, undefined],
])('decides whether it may take writes in a moment: %s, %s', (_what, may, error) => {
  expect(mayTakeWritesSoon(error)).toBe(may)
})
