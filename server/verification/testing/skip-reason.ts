import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { SKIPPED_PARTS_FILE, type SkippedPart } from './skipped-part.ts'

/** Names a part that is not tested in this run, and what is missing: the last lines of the run list it. */
export function skipReason(reason: string, what: string): void {
  const part: SkippedPart = { reason, what, file: expect.getState().testPath ?? '' }
  const file = process.env[SKIPPED_PARTS_FILE]
  if (file === undefined) console.log(`skipped, ${reason}: ${what}`)
  else appendFileSync(file, `${JSON.stringify(part)}\n`)
}
