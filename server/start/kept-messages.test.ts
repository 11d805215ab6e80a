import { expect, test } from 'vitest'
import type { OperatorExchange } from '../actions/ports/operator-exchanges.ts'
import type { CallbackResult, StoredRailCallback } from '../actions/ports/rail-callbacks.ts'
import type { Installation } from '../domain/installation.ts'
import { RAIL_KINDS } from '../rails/registry.ts'
import { fixedClock } from '../testing/gateway.ts'
import { createMessageKeeping } from './kept-messages.ts'

const TOKEN = 'f'.repeat(40)
const installation: Partial<Installation> = {
  rail: 'mtn-momo',
  callbackToken: TOKEN,
  settings: { target_environment: 'sandbox', collection_api_key: 'A-SECRET-KEY' },
}
const message: StoredRailCallback = {
  id: 1n,
  transactionId: 2n,
  installation: 'mtn-uganda',
  orderId: '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11',
  method: 'PUT',
  tail: 'collect',
  body: `<p>A-SECRET-KEY of 256772000123 at ${TOKEN}</p>`,
}

function kept(changes: Partial<StoredRailCallback>, result: CallbackResult): OperatorExchange | undefined {
  const exchanges: OperatorExchange[] = []
  const known = new Map([['mtn-uganda', installation as Installation]])
  const keep = createMessageKeeping(RAIL_KINDS, () => known, { add: (one) => exchanges.push(one) }, fixedClock())
  keep({ ...message, ...changes }, { result, detail: "The operator's message breaks its contract" })
  return exchanges[0]
}

test('a message that could not be read is kept with the reason, without secrets and full account numbers', () => {
  expect(kept({}, 'unreadable')).toMatchObject({
    installation: 'mtn-uganda',
    purpose: 'callback',
    orderId: message.orderId,
    method: 'PUT',
    path: `/operators/mtn-uganda/***/${message.orderId}/collect`,
    reply: '<p>*** of *********123 at ***</p>',
    error: "The operator's message breaks its contract",
  })
})

test('one that was right is kept without a fault; of an installation that is gone what looks like a number is masked', () => {
  expect(kept({ body: '{"status":"SUCCESSFUL"}' }, 'confirmed')).not.toHaveProperty('error')
  expect(kept({ installation: 'gone', body: '{"payer":{"partyId":"256772000123"}}' }, 'mismatch')).toMatchObject({
    reply: '{"payer":{"partyId":"*********123"}}',
  })
})
