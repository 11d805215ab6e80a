import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_TESTS } from './shared-tests.ts'

/**
 * The files that take longest come first in their project, where Vitest has no times of an earlier run: it would take
 * the largest for the longest, and a short file that waits for minutes would begin when all others have ended.
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
