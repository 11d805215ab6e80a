import { expect, test } from 'vitest'
import type { Finding, PartResult } from './part.ts'
import { polledAgain } from './seen-again.ts'

const found = (...findings: readonly Finding[]): PartResult => ({
  part: 'any',
  status: 'findings',
  cases: 1,
  checks: 1,
  findings,
  durationMs: 1,
})
const timed = (what: string, comes: () => Promise<boolean>): Finding => ({ about: 'retries', what, seenAgain: comes })

test('a finding that depends on time is told when it comes again, and only named when it does not', async () => {
  const lasting = { about: 'verify', what: 'off by one' }
  const { findings, seenOnce, status } = await polledAgain(
    found(
      lasting,
      timed('late', async () => true),
      timed('twice', async () => false),
    ),
  )
  expect({ findings, seenOnce, status }).toEqual({
    findings: [lasting, { about: 'retries', what: 'late' }],
    seenOnce: [{ about: 'retries', what: 'twice' }],
    status: 'findings',
  })
})

test('a part that saw nothing again has passed, and one that was skipped stays so', async () => {
  const once = timed('twice', async () => false)
  expect(await polledAgain(found(once))).toMatchObject({ status: 'passed', findings: [] })
  expect(await polledAgain({ ...found(once), status: 'skipped' })).toMatchObject({ status: 'skipped' })
})

test('what cannot be asked again is told', async () => {
  const broken = timed('late', () => Promise.reject(new Error('the server is gone')))
  expect(await polledAgain(found(broken))).toMatchObject({ status: 'findings', findings: [{ what: 'late' }] })
})
