import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf } from '../reading/json.ts'
import { verdictSince, readReleased } from './released.ts'
import { REVIEWED } from './reviewed.ts'

test('a reviewed change breaks nothing, or was released', async () => {
  const { changes } = await verdictSince((await readReleased())!)
  const reviewed = changes.filter(({ where }) => REVIEWED.some((each) => each.where === where))
  expect(reviewed.filter(({ level }) => level !== 'minor')).toEqual([])
})

test.each(REVIEWED.filter(({ where }) => where.endsWith('/pattern')))(
  'the new pattern takes what the old one takes: $where',
  ({ from, to }) => {
    const [before, wider] = [new RegExp(textOf(from), 'u'), new RegExp(textOf(to), 'u')]
    fc.assert(
      fc.property(fc.stringMatching(before), (text) => wider.test(text)),
      { numRuns: 5_000 },
    )
  },
)
