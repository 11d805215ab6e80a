import { expect, test } from 'vitest'
import { codeOf, ConnectionFailed } from './driver-errors.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

test('a failed connection repeats what the system said', () => {
  const failed = new ConnectionFailed('unreachable', refused)
  expect(failed).toMatchObject({ fault: 'unreachable', code: 'ECONNREFUSED', message: refused.message, cause: refused })
})

test('a name with several addresses repeats what the first one said', () => {
  const failed = new ConnectionFailed('unreachable', new AggregateError([refused, new Error('another')]))
  expect(failed).toMatchObject({ code: 'ECONNREFUSED', message: refused.message })
})

test('an error without a code has an empty one', () => {
  expect([new Error('x'), Object.assign(new Error('x'), { code: 7 }), 'ECONNREFUSED', undefined].map(codeOf)).toEqual([
    '',
    '',
    '',
    '',
  ])
  expect(codeOf(refused)).toBe('ECONNREFUSED')
})
