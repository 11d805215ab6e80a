import { ConfigError, PHASES, type RunOptions } from './options.ts'

export const DEFAULTS = {
  seed: 1,
  maxExamples: 20,
  statefulExamplesMax: 5,
  timeoutMs: 600_000,
  requestTimeoutMs: 10_000,
} as const

const NUMBERS = [
  'seed',
  'maxExamples',
  'statefulExamplesMax',
  'failuresMax',
  'timeoutMs',
  'requestTimeoutMs',
] as const satisfies readonly (keyof RunOptions)[]

/** @throws ConfigError */
export function checkOptions(options: RunOptions): void {
  for (const name of NUMBERS) {
    const value = options[name]
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 1))
      throw new ConfigError(`${name} must be a whole number above 0, not ${value}`)
  }
  const { phases = PHASES } = options
  const unknown = phases.find((phase) => !PHASES.includes(phase))
  if (unknown !== undefined || phases.length === 0)
    throw new ConfigError(`phases must be some of ${PHASES.join(', ')}, not ${unknown ?? 'none'}`)
}
