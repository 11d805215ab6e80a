import { test } from 'vitest'

export const isNight = process.env.MALIPO_NIGHTLY === '1'

/**
 * A slow test that judges the test tools: it runs in the nightly run only, as `.ci/nightly` has it
 * (`MALIPO_NIGHTLY=1 npm test`).
 */
export const testByNight = test.skipIf(!isNight)

/** The nightly run has all of these; the default run has one in `oneOf`, and logs that. */
export function someByDay<Row>(what: string, rows: readonly Row[], oneOf = 3): readonly Row[] {
  const some = isNight ? rows : rows.filter((_, index) => index % oneOf === 0)
  if (some.length < rows.length)
    console.log(`by day ${some.length} of ${rows.length} ${what}; all of them: MALIPO_NIGHTLY=1 npm test`)
  return some
}

/** Which row comes first. Does not depend on the date: one commit gives the same result every day. */
const TURN = Number(process.env.MALIPO_TURN ?? 0)

/** By default one of the rows, the next one at each call; in the nightly run all of them. */
export function inTurn(what: string): <Row>(rows: readonly Row[]) => readonly Row[] {
  let calls = 0
  if (!isNight)
    console.log(`by day one of the ${what} in turn (MALIPO_TURN=${TURN}); all of them: MALIPO_NIGHTLY=1 npm test`)
  return (rows) => {
    const chosen = (TURN + calls++) % rows.length
    return isNight ? rows : rows.slice(chosen, chosen + 1)
  }
}

/** A smaller size in the default run, which is logged, and the full one in the nightly run. */
export function byDay(what: string, some: number, all: number): number {
  if (!isNight) console.log(`by day ${some} of ${all} ${what}; all of them: MALIPO_NIGHTLY=1 npm test`)
  return isNight ? all : some
}

if (!isNight) console.log('what takes long in this file runs by night only: MALIPO_NIGHTLY=1 npm test')
