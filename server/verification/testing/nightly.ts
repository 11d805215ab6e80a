import { existsSync } from 'node:fs'
import { test } from 'vitest'
import { skipReason } from './skip-reason.ts'
import { NIGHTLY_ONLY } from './skipped-part.ts'

export const isNightly = process.env.MALIPO_NIGHTLY === '1'

/**
 * A slow test that judges the test tools: it runs in the nightly run only, as `.ci/nightly` has it
 * (`MALIPO_NIGHTLY=1 npm test`).
 */
export const testNightly = test.skipIf(!isNightly)

/**
 * A test with a tool that `npm ci` leaves out, because only the nightly run needs it; without the tool it is skipped and
 * reported as such.
 * @param tool one of the packages of .ci/nightly-tools
 */
export function testWithNightlyTool(tool: string): typeof test {
  if (existsSync(new URL(`../../../node_modules/${tool}`, import.meta.url))) return test
  skipReason('only npm ci --include=peer installs the tools of the nightly run', `what ${tool} checks`)
  return test.skip as typeof test
}

/** The nightly run has all of these; the default run has one in `oneOf`, and reports that. */
export function sampledByDefault<Row>(what: string, rows: readonly Row[], oneOf = 3): readonly Row[] {
  const some = isNightly ? rows : rows.filter((_, index) => index % oneOf === 0)
  if (some.length < rows.length) skipReason(NIGHTLY_ONLY, `${rows.length - some.length} of ${rows.length} ${what}`)
  return some
}

/** Which row comes first. Does not depend on the date: one commit gives the same result every day. */
const TURN = Number(process.env.MALIPO_TURN ?? 0)

/** By default one of the rows, the next one at each call; in the nightly run all of them. */
export function oneOfByDefault(what: string): <Row>(rows: readonly Row[]) => readonly Row[] {
  let calls = 0
  if (!isNightly) skipReason(NIGHTLY_ONLY, `all but one of the ${what}, in turn (MALIPO_TURN=${TURN})`)
  return (rows) => {
    const chosen = (TURN + calls++) % rows.length
    return isNightly ? rows : rows.slice(chosen, chosen + 1)
  }
}

/** A smaller size in the default run, which is reported, and the full one in the nightly run. */
export function smallerByDefault(what: string, some: number, all: number): number {
  if (!isNightly) skipReason(NIGHTLY_ONLY, `${all - some} of ${all} ${what}`)
  return isNightly ? all : some
}
