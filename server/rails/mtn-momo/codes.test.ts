import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { FailureCode } from '../../domain/failure-code.ts'
import { MEANINGS } from './codes.ts'
import { connected, DIRECTIONS, order, result, type Direction } from './testing/connected.ts'

type Code = FailureCode | 'none'
interface Row {
  readonly submitted: 'refused' | 'accepted' | 'unreachable'
  readonly COLLECTION: Code
  readonly PAYOUT: Code
}
const row = (submitted: Row['submitted'], COLLECTION: Code, PAYOUT: Code): Row => ({ submitted, COLLECTION, PAYOUT })

// Written a second time by hand: a mistake in the table would move money or hold it.
const EXPECTED: Readonly<Record<string, Row>> = {
  PAYEE_NOT_FOUND: row('refused', 'operator_error', 'account_not_found'),
  PAYER_NOT_FOUND: row('refused', 'account_not_found', 'operator_error'),
  NOT_ALLOWED: row('refused', 'not_allowed', 'not_allowed'),
  NOT_ALLOWED_TARGET_ENVIRONMENT: row('refused', 'operator_error', 'operator_error'),
  INVALID_CALLBACK_URL_HOST: row('refused', 'operator_error', 'operator_error'),
  INVALID_CURRENCY: row('refused', 'operator_error', 'operator_error'),
  SERVICE_UNAVAILABLE: row('unreachable', 'operator_error', 'operator_error'),
  INTERNAL_PROCESSING_ERROR: row('unreachable', 'operator_error', 'operator_error'),
  NOT_ENOUGH_FUNDS: row('refused', 'insufficient_funds', 'operator_error'),
  PAYER_LIMIT_REACHED: row('refused', 'limit_reached', 'limit_reached'),
  PAYEE_NOT_ALLOWED_TO_RECEIVE: row('refused', 'not_allowed', 'account_blocked'),
  PAYMENT_NOT_APPROVED: row('unreachable', 'declined', 'declined'),
  RESOURCE_NOT_FOUND: row('unreachable', 'operator_error', 'operator_error'),
  APPROVAL_REJECTED: row('unreachable', 'declined', 'declined'),
  EXPIRED: row('unreachable', 'expired', 'expired'),
  TRANSACTION_CANCELED: row('unreachable', 'none', 'none'),
  RESOURCE_ALREADY_EXIST: row('accepted', 'operator_error', 'operator_error'),
  COULD_NOT_PERFORM_TRANSACTION: row('unreachable', 'expired', 'expired'),
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED: row('unreachable', 'insufficient_funds', 'operator_error'),
  SENDER_ACCOUNT_NOT_ACTIVE: row('unreachable', 'account_blocked', 'operator_error'),
  AUTHORIZATION_SENDER_ACCOUNT_NOT_ACTIVE: row('unreachable', 'account_blocked', 'operator_error'),
  PAYEE_LIMIT_REACHED: row('unreachable', 'limit_reached', 'limit_reached'),
  TARGET_AUTHORIZATION_ERROR: row('unreachable', 'insufficient_funds', 'operator_error'),
  ACCOUNTHOLDER_WITH_FRI_NOT_FOUND: row('unreachable', 'account_not_found', 'account_not_found'),
  TRANSACTION_NOT_FOUND: row('unreachable', 'operator_error', 'operator_error'),
  VALIDATION_ERROR: row('unreachable', 'operator_error', 'operator_error'),
  REFERENCE_ID_ALREADY_IN_USE: row('unreachable', 'operator_error', 'operator_error'),
}

const THEIR_WORDS = 'Their own words about 256772000123'

test('every code of the contract has a row, and no other has', () => {
  const bundle = readFileSync(new URL('../../../generated/operators/mtn-momo.json', import.meta.url), 'utf8')
  const { 'x-error-codes': listed } = JSON.parse(bundle) as {
    'x-error-codes': readonly { code: string; evidence: string }[]
  }
  const codes = listed.map(({ code }) => code).toSorted()
  expect(Object.keys(MEANINGS).toSorted()).toEqual(codes)
  expect(Object.keys(EXPECTED).toSorted()).toEqual(codes)
  // Only what MTN documents decides about a submission.
  for (const { code, evidence } of listed)
    expect([code, evidence === 'documented' || MEANINGS[code]?.submitted === 'unknown']).toEqual([code, true])
})

describe.each(Object.keys(DIRECTIONS) as Direction[])('%s', (type) => {
  const { post, get } = DIRECTIONS[type]
  const given = order({ type })

  test.each(Object.entries(EXPECTED))('%s', async (code, { submitted, [type]: failureCode }) => {
    const { operator, adapter } = await connected()
    operator.on(post, { status: 500, body: { code, message: THEIR_WORDS } })
    const answer = await adapter.submit(given)
    expect(answer.answer).toBe(submitted)

    // The reason of a FAILED comes as a string or as an object; FAILED is final with any of them.
    operator.on(
      get,
      { status: 200, body: result({ status: 'FAILED', reason: code }) },
      { status: 200, body: result({ status: 'FAILED', reason: { code, message: THEIR_WORDS } }) },
    )
    const queried = [await adapter.query(given), await adapter.query(given)]
    expect(queried[1]).toEqual(queried[0])
    const failure = queried[0]?.knows === 'outcome' ? queried[0].outcome : undefined
    if (failure?.status !== 'FAILED') throw new Error('it has not failed')
    expect(failure.code ?? 'none').toBe(failureCode)
    if (answer.answer === 'refused') expect({ status: 'FAILED', ...answer, answer: undefined }).toEqual(failure)

    // Customers read the reasons.
    expect(failure.reason).toMatch(/^[A-Z][a-z ]+(, [a-z ]+)?$/)
    expect(JSON.stringify([answer, queried])).not.toMatch(/Their own words|256772000123/)
  })

  test.each([409, 400])('with HTTP %i a code means the same', async (status) => {
    const { operator, adapter } = await connected()
    const answers = []
    for (const code of ['NOT_ENOUGH_FUNDS', 'INTERNAL_PROCESSING_ERROR', 'RESOURCE_ALREADY_EXIST']) {
      operator.on(post, { status, body: { code, message: THEIR_WORDS } })
      answers.push((await adapter.submit(given)).answer)
    }
    expect(answers).toEqual(['refused', 'unreachable', 'accepted'])
  })
})
