import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_TESTS } from './shared-tests.ts'

/**
 * Runs the slowest files first in their project when Vitest has no times of an earlier run: otherwise it would assume
 * that the largest file is the slowest, and a short file that waits for minutes would start when all others have ended.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const order = ({ project }: TestSpecification): number => project.config.sequence.groupOrder
    return sorted.toSorted((one, other) => order(one) - order(other) || rank(one) - rank(other))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG_TESTS.findIndex((file) => moduleId.endsWith(`/${file}`))
  return place < 0 ? LONG_TESTS.length : place
}
