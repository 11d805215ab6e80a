import { expect, test } from 'vitest'
import { GIVE_UP_AFTER_MS, NEVER_SENT, TIMED_OUT } from '../domain/transaction.ts'
import { newTransaction } from '../verification/testing/transactions.ts'
import type { Rail, RailAnswer, RailKnowledge, RailTraits } from './ports/rail.ts'
import { afterQuery, afterRefusal, isDoubtfulRefusal, losesOrderId, nextStep, type Order } from './submission-rules.ts'

const SAFE: RailTraits = { repeat: 'safe', pollAfterMs: () => 60_000 }
const NEVER: RailTraits = { ...SAFE, repeat: 'never' }
const ONLY_REPEATED: RailTraits = { ...SAFE, unanswered: 'repeat' }
const railWith = (traits: RailTraits): Rail => ({
  traitsOf: () => traits,
  submit: async () => [],
  query: async () => [],
})

const transaction = { ...newTransaction(), id: 1n, railOrderId: '0b9c1b8e-6f0f-4c55-8a52-2b3a4c5d6e7f' }
const { internalReference, createdAt } = transaction
const orderOf = (attempt: number, isAgain: boolean): Order => ({
  item: { id: 1n, kind: 'submitToRail', subjectId: 1n, attempt, token: 'a', failures: 0 },
  transaction,
  isAgain,
  heldAt: createdAt,
})
const COMPLETED = { status: 'COMPLETED' } as const
const LOST: RailAnswer = { answer: 'unreachable', error: 'no reply' }
const REFUSED: RailAnswer = { answer: 'refused', reason: 'Invalid payer', code: 'account_not_found' }
const notSent = (attemptsMax?: number): RailAnswer => ({
  answer: 'not_sent',
  error: 'throttled',
  ...(attemptsMax !== undefined && { attemptsMax }),
})

const settle = (outcome: object) => ({ step: 'settle', report: { internalReference, outcome } })
const submitAgain = { step: 'go_on', kind: 'submitToRail' }

test.each([
  [
    'refused',
    SAFE,
    1,
    false,
    REFUSED,
    settle({ status: 'FAILED', reason: 'Invalid payer', code: 'account_not_found' }),
  ],
  ['accepted', SAFE, 1, false, { answer: 'accepted' }, { step: 'go_on', kind: 'pollRail', afterMs: 60_000 }],
  ['lost, may repeat', SAFE, 3, false, LOST, { ...submitAgain, afterMs: 4_000 }],
  ['lost, must not repeat', NEVER, 1, false, LOST, { step: 'go_on', kind: 'resolveUnknownOutcome', afterMs: 60_000 }],
  ['not sent', NEVER, 1, false, notSent(), { ...submitAgain, afterMs: 1_000 }],
  ['not sent, attempts left', NEVER, 2, false, notSent(3), submitAgain],
  ['not sent, last attempt', NEVER, 3, false, notSent(3), settle(NEVER_SENT)],
  ['not sent, sent before and queried', SAFE, 3, true, notSent(3), settle(NEVER_SENT)],
  ['not sent, earlier try may have arrived', ONLY_REPEATED, 3, true, notSent(3), submitAgain],
] as const)('a reply decides the next step: %s', (_case, traits, attempt, isAgain, answer, expected) => {
  expect(nextStep(railWith(traits), { order: orderOf(attempt, isAgain), answer })).toMatchObject(expected)
})

test.each([
  [1, true],
  [2, true],
  [3, false],
  [4, true],
])('attempt %i of an unreachable order is recorded: %s', (attempt, isRecorded) => {
  const next = nextStep(railWith(SAFE), { order: orderOf(attempt, false), answer: LOST })
  expect('event' in next).toBe(isRecorded)
})

const NOTHING_MOVED: RailKnowledge = { knows: 'nothing_moved' }
const YOUNG = createdAt
const OLD = new Date(createdAt.getTime() + GIVE_UP_AFTER_MS)

test.each([
  ['an outcome', SAFE, { knows: 'outcome', outcome: COMPLETED }, YOUNG, { answer: 'outcome', outcome: COMPLETED }],
  ['in progress', SAFE, { knows: 'in_progress' }, YOUNG, { answer: 'accepted' }],
  ['no reply', SAFE, { knows: 'unreachable', error: 'x' }, OLD, { answer: 'unreachable', error: 'x' }],
  ['nothing moved, may repeat', SAFE, NOTHING_MOVED, YOUNG, undefined],
  ['nothing moved, a day old', SAFE, NOTHING_MOVED, OLD, { answer: 'outcome', outcome: TIMED_OUT }],
  ['nothing moved, must not repeat', NEVER, NOTHING_MOVED, YOUNG, { answer: 'unreachable' }],
  ['nothing moved, must not repeat, a day old', NEVER, NOTHING_MOVED, OLD, { answer: 'unreachable' }],
] as const)('a query decides whether an order is sent again: %s', (_case, traits, knowledge, now, expected) => {
  const reply = afterQuery(railWith(traits), orderOf(1, true), knowledge, now)
  if (expected) expect(reply).toMatchObject(expected)
  else expect(reply).toBeUndefined()
})

test.each([
  [ONLY_REPEATED, true, REFUSED, true],
  [ONLY_REPEATED, false, REFUSED, false],
  [ONLY_REPEATED, true, LOST, false],
  [SAFE, true, REFUSED, false],
  [NEVER, true, REFUSED, false],
])('a refusal is doubtful only after an unqueried try: %#', (traits, isAgain, answer, expected) => {
  expect(isDoubtfulRefusal(railWith(traits), orderOf(2, isAgain), answer)).toBe(expected)
})

test('a doubtful refusal counts only if nothing moved', () => {
  expect(afterRefusal(REFUSED, NOTHING_MOVED)).toEqual(REFUSED)
  expect(afterRefusal(REFUSED, { knows: 'outcome', outcome: COMPLETED })).toMatchObject({ answer: 'outcome' })
  expect(afterRefusal(REFUSED, { knows: 'in_progress' })).toMatchObject({ answer: 'accepted' })
  expect(afterRefusal(REFUSED, { knows: 'unreachable', error: 'x' })).toMatchObject({ answer: 'unreachable' })
})

test.each([
  [NEVER, false, notSent(), true],
  [NEVER, true, notSent(), false],
  [SAFE, false, notSent(), false],
  [NEVER, false, LOST, false],
])('an order loses its id only if its only try never arrived: %#', (traits, isAgain, answer, expected) => {
  expect(losesOrderId(railWith(traits), transaction, { order: orderOf(1, isAgain), answer })).toBe(expected)
})
