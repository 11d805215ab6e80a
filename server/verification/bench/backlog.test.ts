import { expect, test } from 'vitest'
import { backlogGrows, finishedPerSecond, type BacklogSample } from './backlog.ts'

const OFFERED = 1_000
/** Ten samples a second for nine seconds, of which each has as many unfinished payments as the function says. */
const samplesWith = (unfinished: (second: number) => number): readonly BacklogSample[] =>
  Array.from({ length: 90 }, (_, index) => {
    const accepted = (index / 10) * OFFERED
    return { atMs: index * 100, accepted, finished: accepted - unfinished(index / 10) }
  })

test.each([
  ['a backlog that grows by a tenth of what is offered', (second: number) => 1_000 + second * 100, true],
  ['an even backlog, however long', () => 50_000, false],
  ['a backlog that shrinks', (second: number) => 9_000 - second * 500, false],
  ['a pause of a second in the middle', (second: number) => (second > 4 && second < 5 ? 3_000 : 1_000), false],
  ['a pause of a second at the end', (second: number) => (second > 8 ? 3_000 : 1_000), false],
  ['payments that lag a quarter of a second more at the end', (second: number) => 1_000 + second * 28, false],
])('judges %s', (_, unfinished, grows) => {
  expect(backlogGrows(samplesWith(unfinished), OFFERED)).toBe(grows)
})

test('counts what is finished, not what is accepted', () => {
  expect(finishedPerSecond(samplesWith((second) => second * 250))).toBeCloseTo(750)
})
