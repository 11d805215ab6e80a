import { expect, test } from 'vitest'
import { compareContracts } from './compare.ts'
import { edited, smallContract, type Edit } from './small-contract.ts'

// Rules of the comparison, one per row of a table: its name says the level, `told` what is found, and the edits of the
// small contract show it.

export const REQUEST = 'components schemas CardRequest'
export const ORDER = 'components schemas Order'
export const GET = 'paths /orders/{id} get'
export const POST = 'paths /orders post'
export const WEBHOOK = 'webhooks orderCallback post'

/** The one change that is found: its place after `openapi/`, its words, and one of its subjects. */
export type ExpectedChange = readonly [where: string, what: RegExp, subject: string]
/** A row of a table. */
export interface Rule {
  readonly name: string
  readonly told: ExpectedChange
  readonly edits: readonly Edit[]
}

/** A rule by its name. */
export const rule = (name: string, reported: ExpectedChange, ...edits: readonly Edit[]): Rule => ({
  name,
  told: reported,
  edits,
})

/** A test for each rule. */
export function testEach(rules: readonly Rule[]): void {
  test.each(rules)('$name', ({ name, told: [where, what, subject], edits }) => {
    const [, level] = /\bis (?:a )?(major|minor|patch)\b/.exec(name) ?? []
    expect(level, 'the level that the name says').toBeDefined()
    expect(compareContracts(smallContract, edited(smallContract, ...edits))).toEqual([
      {
        level,
        where: `openapi/${where}`,
        what: expect.stringMatching(what) as unknown,
        subjects: expect.arrayContaining([subject]) as unknown,
      },
    ])
  })
}
