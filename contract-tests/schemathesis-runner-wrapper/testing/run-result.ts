import type { Result } from '../types.ts'

/** The result of a run with findings. @param more what else it has, or has instead */
export const runResult = (profile: string, more: Partial<Result> = {}): Result => ({
  status: 'findings',
  profile,
  seed: 1,
  version: '4.32.5',
  cases: 2,
  failures: [],
  perOperation: {},
  checks: {},
  warnings: [],
  exclusions: { phases: [], checks: [], operations: 0, failures: 0 },
  businessRefusals: 0,
  durationMs: 1,
  ...more,
})
