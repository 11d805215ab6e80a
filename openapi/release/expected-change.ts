import { expect, test } from 'vitest'
import type { Level } from './change.ts'
import { compareContracts } from './compare.ts'
import { edited, smallContract, type Edit } from './small-contract.ts'

// Rules of the comparison, one per line of a table: an edit of the small contract, and the one change that is found.

export const REQUEST = 'components schemas CardRequest'
export const ORDER = 'components schemas Order'
export const GET = 'paths /orders/{id} get'
export const POST = 'paths /orders post'
export const WEBHOOK = 'webhooks orderCallback post'

export interface Expected {
  readonly rule: string
  readonly edits: readonly Edit[]
  readonly level: Level
  /** After `openapi/`. */
  readonly where: string
  readonly what: RegExp
  readonly subject: string
}

export const only = (
  rule: string,
  edits: readonly Edit[],
  level: Level,
  where: string,
  what: RegExp,
  subject: string,
): Expected => ({ rule, edits, level, where, what, subject })

/** A test for each rule. */
export function testEach(rules: readonly Expected[]): void {
  test.each(rules)('$rule', ({ edits, level, where, what, subject }) => {
    const changes = compareContracts(smallContract, edited(smallContract, ...edits))
    expect(changes).toEqual([
      {
        level,
        where: `openapi/${where}`,
        what: expect.stringMatching(what) as unknown,
        subjects: expect.arrayContaining([subject]) as unknown,
      },
    ])
  })
}
