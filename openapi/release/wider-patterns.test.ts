import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCurrentContract, readReleased } from './released.ts'
import { WIDER_PATTERNS } from './wider-patterns.ts'

const released = JSON.stringify((await readReleased())!.contract)
const current = JSON.stringify(await readCurrentContract())

test.each([...WIDER_PATTERNS])('what %s takes, the wider pattern takes too', (before, after) => {
  const [old, wider] = [new RegExp(before, 'u'), new RegExp(after, 'u')]
  fc.assert(
    fc.property(fc.stringMatching(old), (text) => wider.test(text)),
    { numRuns: 5_000 },
  )
})

test('each entry is about a pattern of the last release and one of now', () => {
  for (const [before, after] of WIDER_PATTERNS)
    expect([released.includes(JSON.stringify(before)), current.includes(JSON.stringify(after))]).toEqual([true, true])
})
