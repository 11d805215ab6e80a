import { expect, test } from 'vitest'
import { byCause } from './causes.ts'

test('groups by message without a cause, ignoring references and places', () => {
  const what = (reference: string, status: number) => `verify of ${reference} was answered ${status} (the first; 12)`
  const findings = byCause([
    { about: 'verify', what: what('MREF00000001', 500) },
    { about: 'verify', what: what('MREF00000002', 500) },
    { about: 'verify', what: what('MREF00000003', 404) },
    { about: 'state', what: what('MREF00000004', 500) },
  ])
  expect(findings.map(({ about, also = [] }) => [about, also.length])).toEqual([
    ['verify', 1],
    ['verify', 0],
    ['state', 0],
  ])
})
