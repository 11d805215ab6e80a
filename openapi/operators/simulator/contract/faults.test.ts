import { expect, test } from 'vitest'
import { CONTRACT } from '../mtn-momo/contract.ts'
import { ownFaults } from './faults.ts'

// Every test of the simulators ends with this check of all its exchanges (testing/simulated.ts).

const faults = ownFaults(CONTRACT)

test('the check detects what the contract does not declare', () => {
  const good = { amount: '1', currency: 'EUR', externalId: 'x', status: 'PENDING' }
  expect(faults.ofReply('getRequestToPayStatus', { status: 200, body: good })).toEqual([])
  expect(faults.ofReply('getRequestToPayStatus', { status: 200, body: { ...good, amount: 1 } })).toEqual([
    'body/amount must be string',
  ])
  expect(faults.ofReply('getRequestToPayStatus', { status: 200 })).toEqual(['200 has no body'])
  expect(faults.ofReply('getRequestToPayStatus', { status: 418, body: {} })).toEqual([
    'getRequestToPayStatus declares no 418',
  ])
  expect(faults.ofReply('requestToPay', { status: 202, body: {} })).toEqual(['202 declares no application/json'])
  expect(faults.ofCallback('requestToPayCallbackByPut', {})).toHaveLength(1)
  expect(faults.ofCallback('nothing', {})).toEqual(['there is no callback nothing'])
})
