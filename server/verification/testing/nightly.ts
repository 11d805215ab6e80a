import { test } from 'vitest'

export const isNightly = process.env.MALIPO_NIGHTLY === '1'

/**
 * A slow test that judges the test tools: it runs in the nightly run only, as `.ci/nightly` has it
 * (`MALIPO_NIGHTLY=1 npm test`).
 */
export const testNightly = test.skipIf(!isNightly)

/** The nightly run has all of these; the default run has one in `oneOf`, and logs that. */
export function sampledByDefault<Row>(what: string, rows: readonly Row[], oneOf = 3): readonly Row[] {
  const some = isNightly ? rows : rows.filter((_, index) => index % oneOf === 0)
  if (some.length < rows.length)
    console.log(`default run: ${some.length} of ${rows.length} ${what}; all of them: MALIPO_NIGHTLY=1 npm test`)
  return some
}

/** Which row comes first. Does not depend on the date: one commit gives the same result every day. */
const TURN = Number(process.env.MALIPO_TURN ?? 0)

/** By default one of the rows, the next one at each call; in the nightly run all of them. */
export function oneOfByDefault(what: string): <Row>(rows: readonly Row[]) => readonly Row[] {
  let calls = 0
  if (!isNightly)
    console.log(`default run: one of the ${what} in turn (MALIPO_TURN=${TURN}); all of them: MALIPO_NIGHTLY=1 npm test`)
  return (rows) => {
    const chosen = (TURN + calls++) % rows.length
    return isNightly ? rows : rows.slice(chosen, chosen + 1)
  }
}

/** A smaller size in the default run, which is logged, and the full one in the nightly run. */
export function smallerByDefault(what: string, some: number, all: number): number {
  if (!isNightly) console.log(`default run: ${some} of ${all} ${what}; all of them: MALIPO_NIGHTLY=1 npm test`)
  return isNightly ? all : some
}

if (!isNightly) console.log('slow tests of this file run nightly only: MALIPO_NIGHTLY=1 npm test')
