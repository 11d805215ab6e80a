import { expect, test } from 'vitest'
import { readContract } from '../openapi/reading/contract.ts'
import { SIZES as MODEL_SIZES } from './parts/model/model.ts'
import { scenarios } from './parts/receiver/scenarios.ts'
import { SIZES as SCHEMATHESIS_SIZES } from './parts/schemathesis/part.ts'
import { createOurRequests } from './parts/wire/our-subject.ts'
import { LIMITS } from './parts/wire/wire.ts'

const NIGHTLY_CASES_MIN = 100_000
/** A random list has two fifths of the commands that it may have, on average; with this much less it still counts. */
const COMMANDS_SHARE = 1 / 4

/**
 * Minimum configured cases of each part. The small parts, and what Schemathesis sends before it fuzzes, come on top.
 */
function declaredCases(): Readonly<Record<string, number>> {
  const operations = readContract(new URL('../generated/openapi.json', import.meta.url)).operations.filter(
    ({ kind }) => kind === 'operation',
  )
  const { runs, commandsMax } = MODEL_SIZES.nightly
  const { writer } = createOurRequests({ host: 'example.org', publicKey: 'pub', sandbox: true, start: 1 })
  return {
    schemathesis: SCHEMATHESIS_SIZES.nightly.maxExamples * operations.length,
    model: runs * commandsMax * COMMANDS_SHARE,
    // A payment, and one message about it.
    receiver: 2 * scenarios({ seed: 1, size: 'nightly', canWait: true, run: 1 }).length,
    wire: LIMITS.casesOf(writer).length + LIMITS.halfOpen,
  }
}

test('the nightly sizes of the parts add up to 100,000 cases', () => {
  const cases = declaredCases()
  expect(
    Object.values(cases).reduce((sum, each) => sum + each, 0),
    JSON.stringify(cases),
  ).toBeGreaterThanOrEqual(NIGHTLY_CASES_MIN)
})
