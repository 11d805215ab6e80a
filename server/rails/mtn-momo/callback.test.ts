import { describe, expect, test } from 'vitest'
import { readCallback } from './callback.ts'
import { DIRECTIONS, ORDER_ID, result, type Direction } from './testing/connected.ts'

const METHODS = ['PUT', 'POST'] as const
const body = (given: Readonly<Record<string, unknown>> = {}): string => JSON.stringify(result(given))
const claimed = {
  mayQuery: true,
  orderId: ORDER_ID,
  amount: { amountMinor: 5000n, currency: 'UGX' },
  account: '256772000123',
  externalIds: {},
}

describe.each(Object.keys(DIRECTIONS) as Direction[])('%s', (type) => {
  const { tail, party } = DIRECTIONS[type]
  const about = (given: Readonly<Record<string, unknown>>): string =>
    body({ payer: undefined, [party]: { partyIdType: 'MSISDN', partyId: '256772000123' }, ...given })

  test.each(METHODS)('a verdict by %s is a claim to confirm by a poll', (method) => {
    const success = about({ status: 'SUCCESSFUL', financialTransactionId: '363440463' })
    expect(readCallback({ method, tail, body: success })).toEqual({
      ...claimed,
      outcome: { status: 'COMPLETED' },
      receipts: { financialTransactionId: '363440463' },
    })
    const failure = about({ status: 'FAILED', reason: { code: 'EXPIRED', message: 'x' } })
    expect(readCallback({ method, tail, body: failure })).toEqual({
      ...claimed,
      outcome: { status: 'FAILED', reason: 'Nobody approved the payment in time', code: 'expired' },
    })
  })
})

test('a refund contains no number', () => {
  const { account: _none, ...withoutNumber } = claimed
  expect(readCallback({ method: 'PUT', tail: 'refund', body: body({ payer: undefined }) })).toEqual(withoutNumber)
})

test.each([
  ['no JSON', 'status=SUCCESSFUL'],
  ['a list', `[${body()}]`],
  ['null', 'null'],
])('%s is no callback', (_what, text) =>
  expect(readCallback({ method: 'PUT', tail: 'collection', body: text })).toBeUndefined(),
)

const { orderId: _id, ...withoutOrderId } = claimed
const { amount: _amount, ...withoutAmount } = claimed
const { account: _account, ...withoutAccount } = claimed

test.each<[string, Readonly<Record<string, unknown>>, object]>([
  ['an undocumented status', { status: 'COMPLETED' }, claimed],
  ['no status', { status: null }, claimed],
  ['an amount with more decimals than its currency', { amount: '5000.50' }, withoutAmount],
  ['no amount', { amount: null }, withoutAmount],
  ['no currency', { currency: undefined }, withoutAmount],
  ['no external id', { externalId: undefined }, withoutOrderId],
  ['an external id that is an object', { externalId: {} }, withoutOrderId],
  ['no payer', { payer: null }, withoutAccount],
  ['a payer whose number is hidden', { payer: { partyId: '2567****123' } }, withoutAccount],
  ['a payer whose number is national', { payer: { partyId: '0772000123' } }, withoutAccount],
])('reads a callback with %s', (_what, odd, reading) =>
  expect(readCallback({ method: 'PUT', tail: 'collection', body: body(odd) })).toEqual(reading),
)

test('counts where a callback differs from the contract', () => {
  const drifts: unknown[] = []
  const onDrift = (source: string, drift: readonly unknown[]): void => void drifts.push(source, ...drift)
  readCallback({ method: 'PUT', tail: 'transfer', body: body({ payeeNote: null }) }, { onDrift })
  expect(drifts).toEqual(['transferCallback', { field: 'payeeNote', shape: 'null in the place of a text' }])
})
