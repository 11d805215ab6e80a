import type { Log } from 'sarif'
import { expect, test } from 'vitest'
import { sarifLog } from './sarif.ts'
import { runResult } from './testing/run-result.ts'

// Lines of the contract: report/report.test.ts. What code scanning accepts: report/formats.test.ts.

test('has a relative address of the contract, and reports a missing verdict', async () => {
  const failure = { check: 'ignored_auth', title: 'Server error', message: 'It failed.', curl: 'curl …', before: [] }
  const found = runResult('canonical', { failures: [{ ...failure, operation: 'POST /things' }] })
  const late = runResult('canonical', { status: 'timeout', reason: 'too slow' })
  const { runs } = JSON.parse(await sarifLog([found, late], 'package.json')) as Log
  expect(runs[0]?.results?.[0]?.locations?.[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: 'package.json' },
    region: { startLine: 1 },
  })
  const notification = { level: 'error', message: { text: 'timeout: too slow' } }
  expect(runs.map(({ invocations }) => invocations)).toEqual([
    [{ executionSuccessful: true, toolExecutionNotifications: [] }],
    [{ executionSuccessful: false, toolExecutionNotifications: [notification] }],
  ])
})
