import { expect, test } from 'vitest'
import { safeError } from './safe-error.ts'

test("PostgreSQL's text about a row stays out of the log; the fault's name stays in", () => {
  const error = Object.assign(new Error('new row for relation "transactions" violates check constraint "x"'), {
    code: '23514',
    constraint: 'x',
    table: 'transactions',
    detail: 'Failing row contains (256772555123, Amina Nakato, amina@shop.example)',
    where: 'amina@shop.example',
    hint: 'amina',
  })
  const logged = safeError(new Error('settling failed', { cause: error }))
  expect(JSON.stringify([safeError(error), logged])).not.toMatch(/amina|256772555123/i)
  expect(safeError(error)).toMatchObject({ type: 'Error', code: '23514', constraint: 'x', table: 'transactions' })
  expect(logged).toMatchObject({ cause: error.message })
})

test('quoted values of PostgreSQL messages stay out of log, stack and causes', () => {
  const error = Object.assign(new Error('invalid input syntax for type bigint: "4242 "4242" 4242"'), { code: '22P02' })
  expect(JSON.stringify([safeError(error), safeError(new Error('accepting failed', { cause: error }))])).not.toContain(
    '4242',
  )
  expect(safeError(error)).toMatchObject({ message: 'invalid input syntax for type bigint: "…"', code: '22P02' })
})

test('a changed message leaves nothing of the first one in the stack', () => {
  const error = new Error('wrong PIN 4821\nof 256772555123')
  error.message = 'wrong PIN'
  const { message, stack } = safeError(error) as { message: string; stack: string }
  expect(message).toBe('wrong PIN')
  expect(stack).toMatch(/^Error: wrong PIN\n {4}at .*safe-error\.test\.ts/)
  expect(stack).not.toMatch(/4821|256772555123/)
})

test('a thrown value that is no error shows only its type', () =>
  expect(safeError('a secret')).toEqual({ message: 'string' }))
