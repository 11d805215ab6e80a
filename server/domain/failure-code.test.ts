import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../openapi/reading/contract.ts'
import { APPROVAL_EXPIRED, APPROVAL_REFUSED } from './approvals.ts'
import { FAILURE_CODES, type Failure } from './failure-code.ts'
import { UNPAID } from './expected-payment.ts'
import { nextHandshakeStep } from './handshake.ts'
import { CANCELLED, OTP_EXHAUSTED, PAGE_EXPIRED } from './payment-session.ts'
import { TIMED_OUT, UNCOVERED } from './transaction.ts'

// Merchants branch on these codes, so the gateway, the contract and the docs must agree on them.

const codes = Object.keys(FAILURE_CODES)
const page = readFileSync(new URL('../../openapi/pages/life-of-a-transaction.md', import.meta.url), 'utf8')
const schema = readContract(bundleUrl).document.components?.schemas?.FailureCode

test('the contract names these codes in its text and allows others of their form', () => {
  expect(schema?.['x-extensible-enum']).toEqual(codes)
  expect([...(schema?.description ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code]) => code)).toEqual(codes)
  expect(schema?.enum).toBeUndefined()
  for (const code of [...codes, 'added_later']) expect(code).toMatch(new RegExp(schema?.pattern ?? '$^'))
})

test('the docs explain each of them', () => {
  const [, table = ''] = page.split('\n## Failure codes\n')
  const reported = [...table.matchAll(/^\| `([a-z_]+)` /gm)].map(([, code]) => code)
  expect(reported).toEqual(['failure_code', ...codes])
})

const failureAfter = (httpStatus: number): Failure => {
  const next = nextHandshakeStep(httpStatus, 4)
  if (next.step !== 'failed') throw new Error(`HTTP ${httpStatus} is no failure`)
  return next.failure
}

test.each<Failure>([
  PAGE_EXPIRED,
  OTP_EXHAUSTED,
  UNCOVERED,
  TIMED_OUT,
  UNPAID,
  APPROVAL_REFUSED,
  APPROVAL_EXPIRED,
  failureAfter(404),
  failureAfter(503),
])('the docs list "$reason" with its code, $code', ({ reason, code }) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${reason}\``))
  expect(row).toContain(`| \`${code}\``)
})

test("a customer's cancellation has a code of its own", () => expect(CANCELLED.code).toBe('cancelled'))
