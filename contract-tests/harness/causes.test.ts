import { expect, test } from 'vitest'
import { byCause } from './causes.ts'

test('merges findings with the same cause and lists the other places', () => {
  const findings = byCause([
    { about: 'sendFunds', what: 'no X-Request-Id', curl: 'curl 1', cause: 'no X-Request-Id' },
    { about: 'verifyTransaction', what: 'no X-Request-Id', cause: 'no X-Request-Id' },
    { about: 'listPayoutBanks', what: 'no X-Request-Id in a refusal', cause: 'no X-Request-Id', also: ['routes'] },
  ])
  expect(findings).toEqual([
    {
      about: 'sendFunds',
      what: 'no X-Request-Id',
      curl: 'curl 1',
      cause: 'no X-Request-Id',
      also: ['verifyTransaction', 'listPayoutBanks: no X-Request-Id in a refusal', 'routes'],
    },
  ])
})

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
