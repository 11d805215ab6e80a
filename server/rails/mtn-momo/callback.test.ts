import { describe, expect, test } from 'vitest'
import { readCallback } from './callback.ts'
import { DIRECTIONS, ORDER_ID, result, type Direction } from './testing/connected.ts'

const METHODS = ['PUT', 'POST'] as const
const body = (given: Readonly<Record<string, unknown>> = {}): string => JSON.stringify(result(given))
const claimed = {
  mayAsk: true,
  orderId: ORDER_ID,
  amount: { amountMinor: 5000n, currency: 'UGX' },
  account: '256772000123',
  theirs: {},
}

describe.each(Object.keys(DIRECTIONS) as Direction[])('%s', (type) => {
  const { tail, party } = DIRECTIONS[type]
  const about = (given: Readonly<Record<string, unknown>>): string =>
    body({ payer: undefined, [party]: { partyIdType: 'MSISDN', partyId: '256772000123' }, ...given })

  test.each(METHODS)('a verdict by %s is a claim to be asked about', (method) => {
    const success = about({ status: 'SUCCESSFUL', financialTransactionId: '363440463' })
    expect(readCallback({ method, tail, body: success })).toEqual({
      ...claimed,
      outcome: { status: 'COMPLETED' },
      theirs: { financialTransactionId: '363440463' },
    })
    const failure = about({ status: 'FAILED', reason: { code: 'EXPIRED', message: 'x' } })
    expect(readCallback({ method, tail, body: failure })).toEqual({
      ...claimed,
      outcome: { status: 'FAILED', reason: 'Nobody approved the payment in time', code: 'expired' },
    })
  })

  test.each(['PENDING', 'CREATED', 'TIMEOUT', 'REJECTED'])('%s claims no verdict', (status) =>
    expect(readCallback({ method: 'PUT', tail, body: about({ status }) })).toEqual(claimed),
  )
})

test('a refund tells of no number', () => {
  const { account: _none, ...withoutNumber } = claimed
  expect(readCallback({ method: 'PUT', tail: 'refund', body: body({ payer: undefined }) })).toEqual(withoutNumber)
})

test('the amount is what stands there, not what was ordered', () =>
  expect(readCallback({ method: 'PUT', tail: 'collection', body: body({ amount: '5.5', currency: 'EUR' }) })).toEqual({
    ...claimed,
    amount: { amountMinor: 550n, currency: 'EUR' },
  }))

test.each([
  ['no JSON', 'status=SUCCESSFUL'],
  ['half of it', body().slice(0, -1)],
  ['an empty one', ''],
  ['a list', `[${body()}]`],
  ['a status that is not in the contract', body({ status: 'COMPLETED' })],
  ['an amount that is a number', body({ amount: 5000 })],
  ['an amount with more decimals than its currency', body({ amount: '5000.50' })],
  ['no external id', body({ externalId: undefined })],
])('%s is no callback', (_what, text) =>
  expect(readCallback({ method: 'PUT', tail: 'collection', body: text })).toBeUndefined(),
)

test.each([undefined, '', 'toString', 'stk'])('word %j in the address is none of ours', (tail) =>
  expect(readCallback({ method: 'PUT', ...(tail !== undefined && { tail }), body: body() })).toBeUndefined(),
)
