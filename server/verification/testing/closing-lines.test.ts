import { expect, test } from 'vitest'
import { closingLines, repeatCommand, wholeSummary, type RunOutcome } from './closing-lines.ts'

const FILE = 'dist/test-summary.txt'
const skipped = (count: number, reason: string) =>
  Array.from({ length: count }, (_, n) => ({ reason, what: `part ${n}`, file: 'a.test.ts' }))
const failed = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ file: 'a.test.ts', test: `rule ${n}`, message: `reason ${n}\nmore` }))
const outcome = (changes: Partial<RunOutcome>): RunOutcome => ({
  passed: 7,
  files: 2,
  seconds: 3,
  skippedTests: 0,
  skipped: [],
  failed: [],
  ...changes,
})

test('a run ends with what ran, what was skipped and why, and what failed', () => {
  const run = outcome({ skippedTests: 2, skipped: skipped(2, 'no Chromium is installed'), failed: failed(1) })
  expect(closingLines(run, FILE)).toEqual([
    'skipped, no Chromium is installed (2): part 0; part 1',
    'failed: npx vitest run a.test.ts -t "rule 0"',
    '2 test files in 3 s; all that was skipped or failed: dist/test-summary.txt',
    'tests: 7 passed, 1 failed, 2 skipped',
  ])
})

test('a run with many reasons and failures ends with 15 lines; the file has all', () => {
  const reasons = Array.from({ length: 20 }, (_, n) => skipped(20 - n, `reason ${n} ${'x'.repeat(200)}`)).flat()
  const run = outcome({ skipped: reasons, failed: failed(30) })
  const lines = closingLines(run, FILE)
  expect(lines).toHaveLength(15)
  expect(lines.filter((line) => line.length > 160)).toEqual([])
  expect(lines[5]).toBe(`skipped for 15 more reasons: ${FILE}`)
  expect(lines[12]).toBe(`24 more failed: ${FILE}`)
  const whole = wholeSummary(run, FILE)
  for (const text of ['reason 19', 'rule 29', '  reason 29\n  more']) expect(whole).toContain(text)
})

test('a command repeats a test in any shell, with the settings that decide', () => {
  const one = { file: 'a.test.ts', test: `"$HOME" isn't %PATH% (yet)`, message: '' }
  expect(repeatCommand(one, { MALIPO_NIGHTLY: '1', HOME: '/root' })).toBe(
    'MALIPO_NIGHTLY=1 npx vitest run a.test.ts -t "..HOME. isn.t .PATH. .yet."',
  )
  expect(repeatCommand({ file: 'a.test.ts', message: '' }, {})).toBe('npx vitest run a.test.ts')
})
