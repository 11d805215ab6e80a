import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const SUMMARY = fileURLToPath(new URL('../../dist/contract-tests/summary.txt', import.meta.url))

/**
 * Prints the contract suite's output at the end of a test run, when suite.pull-request.test.ts was among the
 * tests.
 */
export default function setup(): () => Promise<void> {
  const startedAt = Date.now()
  return async () => {
    const writtenAt = await stat(SUMMARY).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (writtenAt >= startedAt)
      console.log(
        `\nThe contract suite (npm run test:contract) on our own gateway:\n\n${await readFile(SUMMARY, 'utf8')}`,
      )
  }
}
