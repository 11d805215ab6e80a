/** What a test file does not test in this run. */
export interface SkippedPart {
  /** What is missing, in the same words in every file: the last lines of a run group by them. */
  readonly reason: string
  readonly what: string
  readonly file: string
}

/** Names the file in which workers collect their parts; the reporter sets it before they start. */
export const SKIPPED_PARTS_FILE = 'MALIPO_SKIPPED_PARTS_FILE'

/** Why the default run leaves a part out, or has less of it. */
export const NIGHTLY_ONLY = 'nightly only, MALIPO_NIGHTLY=1 npm test'
