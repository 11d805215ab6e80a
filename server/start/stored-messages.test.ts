import { expect, test } from 'vitest'
import type { OperatorExchange } from '../actions/ports/operator-exchanges.ts'
import type { CallbackResult, StoredRailCallback } from '../actions/ports/rail-callbacks.ts'
import { orderToken, type CallbackKeys } from '../domain/callback-tokens.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { RAIL_KINDS } from '../rails/registry.ts'
import { fixedClock } from '../verification/testing/gateway.ts'
import { createMessageKeeping } from './stored-messages.ts'

const ORDER = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
const callbackKeys: CallbackKeys = { keys: [{ id: '0badcafe', secret: 'f00d' }] }
const TOKEN = orderToken(callbackKeys, { railAccount: 'mtn-uganda', orderId: ORDER }, fixedClock().now()) ?? ''
const railAccount: Partial<RailAccount> = {
  rail: 'mtn-momo',
  callbackKeys,
  settings: { target_environment: 'sandbox', collection_api_key: 'A-SECRET-KEY' },
}
const message: StoredRailCallback = {
  id: 1n,
  transactionId: 2n,
  railAccount: 'mtn-uganda',
  orderId: ORDER,
  method: 'PUT',
  tail: 'collect',
  body: `<p>A-SECRET-KEY of 256772000123 at ${TOKEN}</p>`,
}

function kept(changes: Partial<StoredRailCallback>, result: CallbackResult): OperatorExchange | undefined {
  const exchanges: OperatorExchange[] = []
  const known = new Map([['mtn-uganda', railAccount as RailAccount]])
  const keep = createMessageKeeping(RAIL_KINDS, () => known, { add: (one) => exchanges.push(one) }, fixedClock())
  keep({ ...message, ...changes }, { result, detail: "The operator's message breaks its contract" })
  return exchanges[0]
}

test('keeps an unreadable message with its reason, without secrets and full numbers', () => {
  expect(kept({}, 'unreadable')).toMatchObject({
    railAccount: 'mtn-uganda',
    purpose: 'callback',
    orderId: message.orderId,
    method: 'PUT',
    path: `/operators/mtn-uganda/***/${message.orderId}/collect`,
    reply: '<p>*** of *********123 at ***</p>',
    error: "The operator's message breaks its contract",
  })
})

test("masks the order's token also in a field that is stored unchanged", () => {
  const body = JSON.stringify({ reference: `at ${TOKEN}`, note: 'fine' })
  expect(kept({ body }, 'unreadable')?.reply).toBe('{"reference":"at ***","note":"fine"}')
})

test('keeps a valid message without a fault; masks numbers of a removed rail account', () => {
  expect(kept({ body: '{"status":"SUCCESSFUL"}' }, 'confirmed')).not.toHaveProperty('error')
  expect(kept({ railAccount: 'gone', body: '{"payer":{"partyId":"256772000123"}}' }, 'mismatch')).toMatchObject({
    reply: '{"payer":{"partyId":"*********123"}}',
  })
})
