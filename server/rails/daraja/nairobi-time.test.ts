import { expect, test } from 'vitest'
import { pullTimeOf, timeIn, timestampOf } from './nairobi-time.ts'

test('times are those of Nairobi, over midnight too', () => {
  const at = new Date('2026-12-31T21:30:05.999Z')
  expect(timestampOf(at)).toBe('20270101003005')
  expect(pullTimeOf(at)).toBe('2027-01-01 00:30:05')
})

test.each([
  ['2026-03-02T10:30:15+03:00', '2026-03-02T07:30:15.000Z'],
  ['2026-03-02T10:30:15+0300', '2026-03-02T07:30:15.000Z'],
  ['2026-03-02T07:30:15Z', '2026-03-02T07:30:15.000Z'],
  ['2026-03-02 10:30:15.250', '2026-03-02T07:30:15.000Z'],
  ['20260302103015', '2026-03-02T07:30:15.000Z'],
])('%s is %s', (written, at) => {
  expect(timeIn(written)?.toISOString()).toBe(at)
})

test.each(['', 'yesterday', '02/03/2026 10:30', '2026-13-02 10:30:15', '20261302103015'])(
  '"%s" is no time',
  (written) => {
    expect(timeIn(written)).toBeUndefined()
  },
)
