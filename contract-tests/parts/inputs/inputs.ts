import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { createFixture, type DriverFixture } from '../../driver/fixture.ts'
import { characters } from './characters.ts'
import {
  fieldOrder,
  freeTexts,
  keyedChanges,
  numbersOfSandbox,
  optionalFields,
  otherTypes,
} from './contract-questions.ts'
import { headers } from './headers.ts'
import { json } from './json.ts'
import { keys } from './keys.ts'
import { numbers } from './numbers.ts'
import { order } from './order.ts'
import { otps } from './otps.ts'
import { pageForms } from './page-forms.ts'
import { phones } from './phones.ts'
import { queries } from './queries.ts'
import { references } from './references.ts'

const SECTIONS = {
  keys,
  headers,
  order,
  fieldOrder,
  json,
  numbers,
  characters,
  references,
  phones,
  otps,
  queries,
  optionalFields,
  numbersOfSandbox,
  otherTypes,
  freeTexts,
  keyedChanges,
  pageForms,
} as const satisfies Record<string, (fixture: DriverFixture) => Promise<void>>
export type Section = keyof typeof SECTIONS

export const inputsPart: Part = {
  name: 'inputs',
  what: 'what may come in, made from the contract: combinations of fields, types, texts, numbers; the order of checks; keys from nowhere else',
  run: (target, options) => runInputs(target, options),
}

/** @param sections by name; absent: all */
export async function runInputs(
  target: Target,
  { seed, size, log }: RunOptions,
  sections: readonly Section[] = Object.keys(SECTIONS) as Section[],
): Promise<PartResult> {
  const { done, skipped } = beginPart('inputs', seed)
  if (!target.sandbox)
    return skipped("only payments show what is accepted, with the sandbox's providers and test numbers")
  const fixture = createFixture(target, { seed, size }, { prefix: 'INPUTS' })
  for (const section of sections) {
    const startedAt = performance.now()
    await SECTIONS[section](fixture)
    log(`inputs: ${section} in ${Math.round(performance.now() - startedAt)} ms`)
  }
  return done(fixture.outcome())
}
