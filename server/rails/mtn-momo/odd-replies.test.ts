import { describe, expect, test } from 'vitest'
import type { ScriptedAnswer } from '../testing/scripted-operator.ts'
import { connected, DIRECTIONS, order, result, type Direction } from './testing/connected.ts'

// Replies that deviate from MTN's contract: only the fields that decide must be valid.

const ok = (body: unknown): ScriptedAnswer => ({ status: 200, body })
const refusal = (status: number, body: unknown): ScriptedAnswer => ({ status, body })
const COMPLETED = { knows: 'outcome', outcome: { status: 'COMPLETED' } }
const FAILED = {
  knows: 'outcome',
  outcome: { status: 'FAILED', reason: 'Mobile money did not complete the transaction' },
}
type Fields = Readonly<Record<string, unknown>>

describe.each(Object.keys(DIRECTIONS) as Direction[])('%s', (type) => {
  const { get, post, party } = DIRECTIONS[type]
  const given = order({ type })
  const about = (fields: Fields): Fields =>
    result({ payer: undefined, [party]: { partyIdType: 'MSISDN', partyId: given.account }, ...fields })

  async function queried(answer: ScriptedAnswer) {
    const { operator, adapter } = await connected()
    operator.on(get, answer)
    return adapter.query(given)
  }

  test.each<[string, string]>([
    ['363440463', '363440463'],
    ['"363440463"', '363440463'],
    ['12345678901234567891', '12345678901234567891'],
  ])('keeps every digit of the receipt %s', async (written, financialTransactionId) => {
    const body = JSON.stringify(about({ status: 'SUCCESSFUL', financialTransactionId: 'x' })).replace('"x"', written)
    const headers = { 'content-type': 'application/json' }
    expect(await queried({ status: 200, body, headers })).toEqual({
      ...COMPLETED,
      receipts: { financialTransactionId },
    })
  })

  test.each(['0772000123', '772000123', 772000123])('believes a success with the national number %s', async (partyId) =>
    expect(await queried(ok(about({ status: 'SUCCESSFUL', [party]: { partyId } })))).toMatchObject(COMPLETED),
  )

  test('believes a success whose receipt no database could hold', async () => {
    const receiptOf = async (financialTransactionId: string) =>
      queried(ok(about({ status: 'SUCCESSFUL', financialTransactionId })))
    expect(await receiptOf('1\0\u00002')).toEqual({ ...COMPLETED, receipts: { financialTransactionId: '12' } })
    expect(await receiptOf('x'.repeat(5_000))).toEqual(COMPLETED)
  })

  test.each<[string, Fields]>([
    ['no amount', { amount: undefined }],
    ['a null amount', { amount: null }],
    ['an amount with a comma', { amount: '5,000' }],
    ['no currency', { currency: undefined }],
    ['another account', { [party]: { partyId: '256772000124' } }],
    ['another national number', { [party]: { partyId: '0772000124' } }],
    ['a status in lower case', { status: 'successful' }],
  ])('believes no success with %s', async (_what, odd) =>
    expect(await queried(ok(about({ status: 'SUCCESSFUL', ...odd })))).toEqual({
      knows: 'unreachable',
      error: expect.any(String),
    }),
  )

  test.each<[string, Fields]>([
    ['a reason that is a number', { reason: 17 }],
    ['an undocumented text as reason', { reason: 'SOMETHING_NEW' }],
    ['an undocumented code as reason', { reason: { code: 'SOMETHING_NEW', message: `of ${given.account}` } }],
    ['a reason that is a list', { reason: [{ code: 'EXPIRED' }] }],
    ['a reason without a code', { reason: { message: 'EXPIRED' } }],
    ['a reason whose code is an object', { reason: { code: {} } }],
    ['a null amount', { amount: null }],
    ['an amount of 0', { amount: '0.00' }],
    ['no currency', { currency: undefined }],
    ['a receipt', { financialTransactionId: '0' }],
    ['another account', { [party]: { partyId: '256772000124' } }],
    ['nothing else', { externalId: undefined, amount: undefined, currency: undefined, [party]: undefined }],
  ])('believes a failure with %s', async (_what, odd) =>
    expect(await queried(ok(about({ status: 'FAILED', ...odd })))).toEqual(FAILED),
  )

  test('reads the code of a failure as a text and in an object', async () => {
    const expired = { outcome: { code: 'expired' } }
    expect(await queried(ok(about({ status: 'FAILED', reason: 'EXPIRED' })))).toMatchObject(expired)
    expect(await queried(ok(about({ status: 'FAILED', reason: { code: 'EXPIRED' } })))).toMatchObject(expired)
  })

  test.each<[string, ScriptedAnswer, string]>([
    ['a null message', refusal(500, { code: 'NOT_ALLOWED', message: null }), 'refused'],
    ['a message that is an object', refusal(400, { code: 'PAYEE_NOT_FOUND', message: {} }), 'refused'],
    ['no code', refusal(500, { message: 'x' }), 'unreachable'],
    ['a null code', refusal(500, { code: null }), 'unreachable'],
    ['a status of 400 and no documented form', refusal(400, { fault: 'x' }), 'unreachable'],
    ['a status of 409 and no code', refusal(409, {}), 'accepted'],
    ['a repeated code', refusal(500, '{"code":"NOT_ALLOWED","code":"NOT_ALLOWED"}'), 'unreachable'],
    ['a status of 403', refusal(403, { statusCode: 403, message: 'Access denied' }), 'not_sent'],
    ['a 202 with an empty object', { status: 202, body: {} }, 'accepted'],
    ['a 202 with a code', { status: 202, body: { code: 'NOT_ALLOWED' } }, 'unreachable'],
    ['a 202 with a page', { status: 202, body: '<html>', headers: { 'content-type': 'text/html' } }, 'unreachable'],
  ])('reads a reply to an order with %s correctly', async (_what, answer, expected) => {
    const { operator, adapter } = await connected()
    operator.on(post, answer)
    expect(await adapter.submit(given)).toMatchObject({ answer: expected })
  })

  test.each<[string, Fields]>([
    ['its life as a text', { access_token: 't', expires_in: '3600' }],
    ['no life', { access_token: 't', token_type: null }],
    ['a null life', { access_token: 't', expires_in: null }],
  ])('accepts a token with %s', async (_what, token) => {
    const { operator, adapter } = await connected()
    operator.on(`POST /${DIRECTIONS[type].product}/token/`, ok(token))
    operator.on(post, 202)
    expect(await adapter.submit(given)).toEqual({ answer: 'accepted' })
    expect(operator.requestsTo(post)[0]?.headers.authorization).toBe('Bearer t')
  })

  test.each<[string, unknown]>([
    ['a null token', { access_token: null }],
    ['a token that no header can hold', { access_token: 'a\r\nb' }],
    ['a list', []],
    ['null', null],
  ])('sends nothing without a token: %s', async (_what, token) => {
    const { operator, adapter } = await connected()
    operator.on(`POST /${DIRECTIONS[type].product}/token/`, ok(token))
    expect(await adapter.submit(given)).toMatchObject({ answer: 'not_sent' })
    expect(operator.requestsTo(post)).toEqual([])
  })
})
