import { expect, test } from 'vitest'
import { datedFacts, isOld } from './dated-facts.ts'

const DOCUMENT = {
  'x-sources': [{ source: 'portal', title: 'Its portal', date: '2026-01-31', lastObservedBy: 'a reader' }],
  'x-facts': [
    { fact: 'It is so.', source: 'portal' },
    { fact: 'It was seen.', source: 'portal', date: '2026-10-02' },
  ],
}

test('a fact has the date of its source, or its own', () => {
  expect(datedFacts(DOCUMENT)).toEqual([
    { fact: 'It is so.', source: 'Its portal', date: '2026-01-31', lastObservedBy: 'a reader' },
    { fact: 'It was seen.', source: 'Its portal', date: '2026-10-02', lastObservedBy: 'a reader' },
  ])
})

test.each([
  ['2026-05-27', '2026-11-27T00:00:00Z', false],
  ['2026-05-27', '2026-11-27T00:00:01Z', true],
  ['2025-12-28', '2026-06-28T12:00:00Z', true],
])('a fact of %s is old at %s: %s', (date, now, old) => expect(isOld({ date }, new Date(now))).toBe(old))
