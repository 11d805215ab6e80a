import { expect, test } from 'vitest'
import {
  compactTime,
  dashedTime,
  dottedTime,
  idTime,
  readCompactTime,
  readSpacedTime,
  spacedTime,
  zonedTime,
} from './nairobi-time.ts'

const LATE = new Date('2026-03-01T22:30:05.123Z')

test('an evening in UTC is the next day in Nairobi, in every form', () => {
  expect([compactTime, idTime, spacedTime, zonedTime, dottedTime, dashedTime].map((form) => form(LATE))).toEqual([
    '20260302013005',
    '02032026013005123',
    '2026-03-02 01:30:05',
    '2026-03-02T01:30:05+03:00',
    '02.03.2026 01:30:05',
    '02-03-2026 01:30:05',
  ])
})

test('parses what it has written, to the second', () => {
  const second = new Date('2026-03-01T22:30:05Z')
  expect(readCompactTime(compactTime(LATE))).toEqual(second)
  expect(readSpacedTime(spacedTime(LATE))).toEqual(second)
})

test.each(['20260231100000', '20261301100000', '20260301250000', '20260301106000'])('%s is no valid time', (text) =>
  expect(readCompactTime(text)).toBeUndefined(),
)
