import { expect, test } from 'vitest'
import { byCause, countedByCause, deviationOf } from './causes.ts'
import type { Finding, PartResult } from './part.ts'
import { partResult } from './testing/part-result.ts'

test('groups by message without a cause, ignoring references and places', () => {
  const what = (reference: string, status: number) => `verify of ${reference} was answered ${status} (the first; 12)`
  const findings = byCause([
    { about: 'verify', what: what('MREF00000001', 500) },
    { about: 'verify', what: what('MREF00000002', 500) },
    { about: 'verify', what: what('MREF00000003', 404) },
    { about: 'state', what: what('MREF00000004', 500) },
  ])
  expect(findings.map(({ about, also = [] }) => [about, also.length])).toEqual([
    ['verify', 1],
    ['verify', 0],
    ['state', 0],
  ])
})

test('folds the follow-ups of one refusal, and keeps a second cause of the same shape', () => {
  const refused = (rule: string, message: string): Finding => ({
    about: 'sendFunds',
    what: `${rule} was answered 400 "${message}", not 202`,
    cause: `sendFunds: ${rule}`,
  })
  const rules = Array.from(
    { length: 43 },
    (_, index) => `a payout of kind ${String.fromCharCode(97 + (index % 26))}${index}`,
  )
  const findings = byCause([
    ...rules.map((rule) => refused(rule, 'Unknown bank')),
    refused('a payout to a bank', 'Daily limit exceeded'),
  ])
  expect(findings.map(({ what, also = [] }) => [what, also.length])).toEqual([
    ['a payout of kind a0 was answered 400 "Unknown bank", not 202', 42],
    ['a payout to a bank was answered 400 "Daily limit exceeded", not 202', 0],
  ])
})

test.each([
  ['transaction_charge is 0, not 75', 'zero'],
  ['transaction_charge is undefined, not 75', 'missing'],
  ['transaction_charge is 76, not 75', 'off by one unit'],
  ['transaction_charge is 75.01, not 75', 'off by one unit'],
  ['transaction_charge is 12, not 75', 'less'],
  ['status_message is "Done", not "Completed"', 'another text'],
  ['a payout was answered 500 "Internal error", not 202', 'answered 500 "Internal error"'],
  ['no callback came', ''],
])('of "%s" the kind is "%s"', (what, kind) => expect(deviationOf(what)).toBe(kind))

test('reports what was seen more than once, though its repetition did not show it', () => {
  const part = (name: string, ...notReproduced: Finding[]): PartResult => partResult(name, { notReproduced })
  const slow: Finding = { about: 'verify', what: 'was not answered at first', cause: 'slow' }
  const once: Finding = { about: 'verify', what: 'was cut', cause: 'cut' }
  const [one, other] = countedByCause([part('declared', slow, once), part('receiver', { ...slow, times: 65 })])
  expect(one).toMatchObject({ status: 'findings', notReproduced: [once], findings: [{ about: 'verify' }] })
  expect(one!.findings[0]!.what).toBe('was not answered at first (seen 66 times in this run, though not when repeated)')
  expect(other).toMatchObject({ status: 'findings', notReproduced: [] })
})
