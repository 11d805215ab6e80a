import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepReport, lineOf, summaryOf, type FailoverReport, type FaultResult } from './report.ts'

const result: FaultResult = {
  kind: 'leader-frozen',
  what: 'node-2, the leader, frozen',
  heldSeconds: 27.04,
  silentSeconds: 22.81,
  countedFrom: 'fault',
  wholeSeconds: 9,
  acknowledged: 510,
  lost: 0,
  doubled: 0,
  doctor: 'clean',
  findings: [],
}
const report: FailoverReport = {
  arguments: '--seed 1',
  faults: [result, { ...result, silentSeconds: 5 }],
  acknowledged: 1063,
  findings: [],
  seconds: 126,
}

test('a fault is one line: its kind, the gap in acceptances, and both counts', () => {
  expect(lineOf(result)).toBe(
    'leader-frozen: node-2, the leader, frozen for 27.0 s; 202s again within 22.8 s; ' +
      '510 acknowledged, 0 lost, 0 doubled, doctor clean',
  )
  expect(lineOf({ ...result, countedFrom: 'all back' })).toContain('within 22.8 s, counted from when all was back;')
})

test('the summary has the longest time without a 202, and the number of findings', () => {
  const figures = '2 faults, 1063 payments acknowledged, longest without a 202 22.8 s, 2.1 minutes'
  expect(summaryOf(report)).toBe(`${figures}: nothing lost, nothing doubled, all books equal`)
  expect(summaryOf({ ...report, findings: ['lost: 1'] })).toBe(`${figures}: 1 findings`)
})

test('keeps the report as JSON, in a folder that it makes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'failover', 'report.json')
  await keepReport(report, file)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(report)
})
