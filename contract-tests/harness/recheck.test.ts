import { expect, test } from 'vitest'
import type { Finding, PartResult } from './part.ts'
import { recheckFindings } from './recheck.ts'

const found = (...findings: readonly Finding[]): PartResult => ({
  part: 'any',
  status: 'findings',
  cases: 1,
  checks: 1,
  findings,
  durationMs: 1,
})
const timed = (what: string, comes: () => Promise<boolean>): Finding => ({ about: 'retries', what, recurs: comes })

test('reports a time-dependent finding when it recurs, and only names it otherwise', async () => {
  const lasting = { about: 'verify', what: 'off by one' }
  const { findings, notReproduced, status } = await recheckFindings(
    found(
      lasting,
      timed('late', async () => true),
      timed('twice', async () => false),
    ),
  )
  expect({ findings, notReproduced, status }).toEqual({
    findings: [lasting, { about: 'retries', what: 'late' }],
    notReproduced: [{ about: 'retries', what: 'twice' }],
    status: 'findings',
  })
})

test('passes a part when nothing recurs, and keeps a skipped one skipped', async () => {
  const once = timed('twice', async () => false)
  expect(await recheckFindings(found(once))).toMatchObject({ status: 'passed', findings: [] })
  expect(await recheckFindings({ ...found(once), status: 'skipped' })).toMatchObject({ status: 'skipped' })
})

test('reports a finding that cannot be repeated', async () => {
  const broken = timed('late', () => Promise.reject(new Error('the server is gone')))
  expect(await recheckFindings(found(broken))).toMatchObject({ status: 'findings', findings: [{ what: 'late' }] })
})

test('reports what was seen several times without repeating it', async () => {
  const often = { ...timed('late', () => Promise.reject(new Error('not called'))), times: 2 }
  expect(await recheckFindings(found(often))).toMatchObject({
    status: 'findings',
    findings: [{ what: 'late', times: 2 }],
  })
})
