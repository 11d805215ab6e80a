import { describe, expect, test } from 'vitest'
import {
  decisionRefusal,
  isCovered,
  orderDigest,
  type Approval,
  type ApprovalRule,
  type Decision,
  type DecisionRefusal,
  type IntendedChange,
} from './approvals.ts'
import { money } from './money.ts'
import { MADE_AT, PENDING } from './testing/samples.ts'

const ugx = (amountMinor: bigint) => money(amountMinor, 'UGX')
const rule = (changes: Partial<ApprovalRule> = {}): ApprovalRule => ({
  id: 1n,
  operation: 'payouts',
  fromMinor: 0n,
  ...changes,
})
const payout = (changes: Partial<IntendedChange> = {}): IntendedChange => ({
  operation: 'payouts',
  merchantId: 7n,
  amount: ugx(1_000n),
  ...changes,
})

describe('a rule', () => {
  test.each<[string, ApprovalRule[], IntendedChange, boolean]>([
    ['nothing without a rule', [], payout(), false],
    ['every merchant by default', [rule()], payout(), true],
    ['its own merchant', [rule({ merchantId: 7n })], payout(), true],
    ['no other merchant', [rule({ merchantId: 8n })], payout(), false],
    ['no other operation', [rule({ operation: 'deposits' })], payout(), false],
    ['an amount that reaches it', [rule({ currency: 'UGX', fromMinor: 1_000n })], payout(), true],
    ['no smaller amount', [rule({ currency: 'UGX', fromMinor: 1_001n })], payout(), false],
    ['no other currency', [rule({ currency: 'KES' })], payout(), false],
    ['an amount that nobody knows', [rule({ currency: 'KES', fromMinor: 5n })], payout({ amount: undefined }), true],
  ])('covers %s', (_what, rules, change, covered) => {
    expect(isCovered(rules, change)).toBe(covered)
  })
})

describe('a decision', () => {
  const later = (ms: number) => new Date(MADE_AT.getTime() + ms)
  const ofPayout: Approval = {
    id: 3n,
    operation: 'payouts',
    merchantId: 7n,
    digest: 'd',
    maker: { name: 'Amina', personId: 1n },
    requestedAt: MADE_AT,
    expiresAt: later(1_000),
    state: 'waiting',
  }
  const ofStaff: Approval = { ...ofPayout, operation: 'deposits' }
  const approves: Decision = {
    state: 'approved',
    by: { name: 'Brian', personId: 2n },
    standing: { role: 'finance', merchantId: 7n },
    digestSeen: 'd',
    digestNow: 'd',
    at: later(999),
  }
  const staff = (role: string) => ({ standing: { role } })
  const maker = { by: ofPayout.maker }
  const refuses = { state: 'refused' } as const

  test.each<[string, Approval, Partial<Decision>, DecisionRefusal | undefined]>([
    ["of the merchant's finance stands", ofPayout, {}, undefined],
    ["of the merchant's owner stands", ofPayout, { standing: { role: 'owner', merchantId: 7n } }, undefined],
    ['of a developer does not', ofPayout, { standing: { role: 'developer', merchantId: 7n } }, 'no_approver'],
    ['of another merchant does not', ofPayout, { standing: { role: 'owner', merchantId: 8n } }, 'no_approver'],
    ['of staff about a payout does not', ofPayout, staff('admin'), 'no_approver'],
    ['of who has left does not', ofPayout, { standing: undefined }, 'no_approver'],
    ['of staff about a deposit stands', ofStaff, staff('finance'), undefined],
    ['of support about a deposit does not', ofStaff, staff('support'), 'no_approver'],
    ['of a merchant about a deposit does not', ofStaff, {}, 'no_approver'],
    ['of the maker does not', ofPayout, maker, 'own_request'],
    ['of the maker against it stands', ofPayout, { ...maker, ...refuses }, undefined],
    ['at the end of its time does not', ofPayout, { at: later(1_000) }, 'expired'],
    ['about what is decided does not', { ...ofPayout, state: 'approved' }, {}, 'decided'],
    ['about what has lapsed does not', { ...ofPayout, state: 'lapsed' }, refuses, 'decided'],
    ['about an order that has changed does not', ofPayout, { digestNow: 'e' }, 'changed'],
    ['about another order does not', ofPayout, { digestSeen: 'e' }, 'changed'],
    ['against an order that has changed stands', ofPayout, { ...refuses, digestNow: 'e' }, undefined],
  ])('%s', (_what, approval, decision, refusal) => {
    expect(decisionRefusal(approval, { ...approves, ...decision })).toBe(refusal)
  })

  test('of the only user of a machine is that of the maker', () => {
    const user = { name: 'root' }
    const decision = { ...approves, by: user, standing: 'anybody' } as const
    expect(decisionRefusal({ ...ofStaff, maker: user }, decision)).toBe('own_request')
    expect(decisionRefusal({ ...ofStaff, maker: { name: 'API key' } }, decision)).toBeUndefined()
  })
})

test('an order has another digest when who gets how much changes', () => {
  const orders = [
    PENDING,
    { ...PENDING, account: '256772000124' },
    { ...PENDING, amount: ugx(5_001n) },
    { ...PENDING, customerName: 'Grace' },
    { ...PENDING, bankCode: 'Grace' },
    { ...PENDING, totalMinor: 1n },
  ]
  expect(new Set(orders.map(orderDigest)).size).toBe(orders.length)
  expect(orderDigest({ ...PENDING })).toBe(orderDigest(PENDING))
})
