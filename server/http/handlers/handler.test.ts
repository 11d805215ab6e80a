import { expect, test } from 'vitest'
import { accepted, success } from '../envelope.ts'
import type { Handler, OperationHandlers } from './handler.ts'

const references = { internal_reference: 'MLP1', merchant_reference: 'PAYOUT-1' }

test('a handler takes and returns what the contract declares for its operation', () => {
  const sendFunds: Handler<'sendFunds'> = ({ body }) =>
    accepted(body.description, { ...references, merchant_reference: body.merchant_reference })
  const verify: Handler<'verifyTransaction'> = ({ params }) => {
    throw new Error(params.merchant_reference)
  }
  expect([sendFunds, verify]).toHaveLength(2)
})

test('what the contract does not declare does not compile', () => {
  const misfits = [
    // @ts-expect-error a field of the body that no payout request has
    (({ body }) => accepted(String(body.descripton), references)) satisfies Handler<'sendFunds'>,
    // @ts-expect-error a query parameter of another operation
    (({ query }) => success(String(query.transaction_type), { payout_banks: [] })) satisfies Handler<'listPayoutBanks'>,
    // @ts-expect-error a field of the reply that no acknowledgement of a payout has
    (() => accepted('Payout accepted', { ...references, otp: 1 })) satisfies Handler<'sendFunds'>,
    // @ts-expect-error a reply without one of its fields
    (() => accepted('Payout accepted', { internal_reference: 'MLP1' })) satisfies Handler<'sendFunds'>,
    // @ts-expect-error 200 where the contract says 202
    (() => success('Payout accepted', references)) satisfies Handler<'sendFunds'>,
  ]
  // @ts-expect-error an operation without its handler
  const handlers: OperationHandlers = {}
  expect([misfits, handlers]).toHaveLength(2)
})
