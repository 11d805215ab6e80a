import { describe, expect, test } from 'vitest'
import {
  accepted,
  acceptedOutcome,
  applyKeyClaims,
  applyReferenceClaims,
  candidatesOf,
  claimsToUndo,
  decide,
  keyClaims,
  referenceName,
  usageToRead,
  type AcceptanceRequest,
  type AcceptanceFacts,
  type Candidate,
} from './acceptance.ts'
import { openPage } from './account-bounds.ts'
import { money } from './money.ts'

const now = new Date('2026-03-01T08:00:00Z')
const later = new Date('2026-03-01T08:00:01Z')
const dailyLimit = { limitMinor: 1_000n, merchantMinor: 600n }
const request: AcceptanceRequest = {
  merchantId: 1n,
  merchantReference: 'order-1',
  providerCode: 'MTN',
  type: 'PAYOUT',
  account: '256770000000',
  request: money(500n, 'UGX'),
  amount: money(500n, 'UGX'),
  chargeMinor: 0n,
  totalMinor: 500n,
  status: 'PENDING',
  createdAt: now,
}
const limited: AcceptanceRequest = { ...request, dailyLimit }
const keyed = (key: string, changes: Partial<AcceptanceRequest> = {}): AcceptanceRequest => ({
  ...request,
  ...changes,
  idempotency: { merchantId: 1n, key },
})

const unused = (): AcceptanceFacts => ({ daily: new Map(), counted: new Map(), rules: [], collections: new Map() })
const resultsOf = (candidates: readonly Candidate<AcceptanceRequest>[]) => candidates.map(({ result }) => result)

/** Candidates whose references were free; equal references have one id. */
function claimed(batch: readonly AcceptanceRequest[]): Candidate<AcceptanceRequest>[] {
  const candidates = candidatesOf(batch)
  const names = [...new Set(batch.map(referenceName))]
  applyReferenceClaims(candidates, new Map(names.map((name, index) => [name, BigInt(index + 1)])))
  return candidates
}

function decided(batch: readonly AcceptanceRequest[], used = unused()): Candidate<AcceptanceRequest>[] {
  const candidates = claimed(batch)
  decide(candidates, used)
  return candidates
}

describe('idempotency keys', () => {
  test('of equal keys the first request claims the key', () => {
    const candidates = candidatesOf([keyed('a'), keyed('a', { merchantReference: 'order-2' }), keyed('b'), request])
    expect(keyClaims(candidates).map(({ candidate }) => candidates.indexOf(candidate))).toEqual([0, 2])
    applyKeyClaims(candidates, ['1:a', '1:b'])
    expect(resultsOf(candidates)).toEqual(['accepted', 'idempotency_key_taken', 'accepted', 'accepted'])
  })
  test('a key that another commit holds refuses each request with it', () => {
    const candidates = candidatesOf([keyed('a'), keyed('a'), keyed('b')])
    applyKeyClaims(candidates, ['1:b'])
    expect(resultsOf(candidates)).toEqual(['idempotency_key_taken', 'idempotency_key_taken', 'accepted'])
  })
})

describe('references', () => {
  test('a reference that exists is a duplicate', () => {
    const candidates = candidatesOf([request, { ...request, merchantReference: 'order-2' }])
    applyReferenceClaims(candidates, new Map([['1:order-2', 7n]]))
    expect(candidates.map(({ result, id }) => [result, id])).toEqual([
      ['duplicate_reference', undefined],
      ['accepted', 7n],
    ])
  })
  test('of equal references the first that fits is accepted', () => {
    const tooMuch = { ...limited, amount: money(5_000n, 'UGX') }
    expect(resultsOf(decided([tooMuch, limited, limited]))).toEqual([
      { exceededMinor: 1_000n },
      'accepted',
      'duplicate_reference',
    ])
  })
})

describe('limits', () => {
  test('two requests of a batch do not both use the same free rest', () => {
    const other = { ...limited, merchantReference: 'order-2' }
    expect(resultsOf(decided([limited, other]))).toEqual(['accepted', { exceededMinor: 600n }])
    const fromOther = { ...other, merchantId: 2n, amount: money(501n, 'UGX') }
    expect(resultsOf(decided([limited, fromOther]))).toEqual(['accepted', { exceededMinor: 1_000n }])
  })
  test('a refused request uses up nothing', () => {
    const tooMuch = { ...limited, amount: money(601n, 'UGX') }
    const fits = { ...limited, merchantReference: 'order-2', amount: money(600n, 'UGX') }
    expect(resultsOf(decided([tooMuch, fits]))).toEqual([{ exceededMinor: 600n }, 'accepted'])
  })
  test('a request without a daily limit does not count toward it', () => {
    const used = unused()
    decided([request], used)
    expect([...used.daily]).toEqual([])
  })
  test('the bounds of an account number count over the whole batch', () => {
    const bounds = {
      otpSendsMax: 1,
      otpWrongTriesMax: 1,
      openPagesMax: 1,
      promptsPerHourMax: 1,
      promptsPerDayMax: 1,
      promptDeclinesMax: 1,
      promptCoolDownMs: 1,
      merchantShare: 100,
    }
    const page = { ...request, uses: [openPage({ expiresAt: later }, bounds)] }
    const [first, second] = decided([page, { ...page, merchantReference: 'order-2' }])
    expect(first?.result).toBe('accepted')
    expect(second?.result).toEqual({ bound: 'open_page', roomAt: later })
  })
  test('usage is read for limited requests and bounded accounts, at the first time', () => {
    const page = { ...request, account: '256770000001', uses: [], createdAt: later }
    const { locks, limited: subjects, accounts, now: at } = usageToRead(candidatesOf([limited, page, request]))
    expect(locks).toEqual(['256770000000', '256770000001'])
    expect(subjects).toEqual([limited])
    expect(accounts).toEqual(['256770000001'])
    expect(at).toEqual(now)
  })
})

describe('what was refused', () => {
  test('frees its key, and its reference if no other request uses it', () => {
    const tooMuch = keyed('a', { dailyLimit, amount: money(5_000n, 'UGX') })
    const candidates = decided([tooMuch, { ...tooMuch, merchantReference: 'order-2' }, keyed('b'), keyed('c')])
    expect(resultsOf(accepted(candidates))).toEqual(['accepted'])
    const { refused, references, keys } = claimsToUndo(candidates)
    expect(refused.map((one) => candidates.indexOf(one))).toEqual([0, 1, 3])
    expect(references.map(({ merchantReference }) => merchantReference)).toEqual(['order-2'])
    expect(keys.map(({ key }) => key)).toEqual(['a', 'a', 'c'])
  })
  test('is nothing where a key was taken: another request owns it', () => {
    const candidates = candidatesOf([keyed('a')])
    applyKeyClaims(candidates, [])
    expect(claimsToUndo(candidates)).toEqual({ refused: [], references: [], keys: [] })
  })
})

test('the first outcome says whether the reply names the payment page', () => {
  const transaction = { internalReference: 'in-1', merchantReference: 'order-1' }
  expect(acceptedOutcome(transaction).accepted.onPaymentPage).toBe(false)
  expect(acceptedOutcome({ ...transaction, session: { awaits: 'confirmation' } })).toEqual({
    result: 'accepted',
    accepted: { ...transaction, onPaymentPage: true },
  })
})
