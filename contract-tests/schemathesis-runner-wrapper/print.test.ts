import { expect, test } from 'vitest'
import { exitCode } from './print.ts'

test('exits with 1 on findings, 2 without a verdict, and as requested without Python', () => {
  expect(exitCode([{ status: 'passed' }, { status: 'unavailable' }])).toBe(2)
  expect(exitCode([{ status: 'passed' }, { status: 'unavailable' }], 0)).toBe(0)
  expect(exitCode([{ status: 'findings' }, { status: 'unavailable' }], 0)).toBe(1)
  expect(exitCode([{ status: 'findings' }, { status: 'unavailable' }], 77)).toBe(77)
  expect(exitCode([{ status: 'findings' }, { status: 'passed' }])).toBe(1)
  for (const status of ['tool-error', 'config-error', 'timeout', 'aborted'] as const)
    expect(exitCode([{ status: 'findings' }, { status }], 77)).toBe(2)
})
