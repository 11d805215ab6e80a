import { expect, test } from 'vitest'
import { safeError } from './safe-error.ts'

test('what PostgreSQL says of a row stays out of the log; what tells the fault stays in', () => {
  const error = Object.assign(new Error('new row for relation "transactions" violates check constraint "x"'), {
    code: '23514', constraint: 'x', table: 'transactions', detail: 'Failing row contains (256772555123, Amina Nakato, amina@shop.example)', where: 'amina@shop.example', hint: 'amina',
  })
  const logged = safeError(new Error('settling failed', { cause: error }))
  expect(JSON.stringify([safeError(error), logged])).not.toMatch(/amina|256772555123/i)
  expect(safeError(error)).toMatchObject({ type: 'Error', code: '23514', constraint: 'x', table: 'transactions' })
  expect(logged).toMatchObject({ cause: error.message })
})

test('what is thrown and is no error shows only its kind', () => expect(safeError('a secret')).toEqual({ message: 'string' }))
