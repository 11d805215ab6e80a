import { expect, test } from 'vitest'
import type { FailureCode } from '../domain/failure-code.ts'
import type { Transaction } from '../domain/transaction.ts'
import { newTransaction, START } from '../verification/testing/transactions.ts'
import type { Step } from './apply-reports.ts'
import { countPromptDeclines } from './prompt-declines.ts'

let id = 0n
const stepTo = (changes: Partial<Transaction>, from: Step['from'] = 'PROCESSING'): Step => ({
  from,
  to: { ...newTransaction(), id: (id += 1n), account: '256770000123', railOrderId: 'an-order', ...changes },
})
const failed = (failureCode: FailureCode | undefined, changes: Partial<Transaction> = {}) =>
  stepTo({ status: 'FAILED', ...(failureCode && { failureCode }), ...changes })
const completed = (changes: Partial<Transaction> = {}) => stepTo({ status: 'COMPLETED', ...changes })

/** The calls to the unit of work. */
async function countedOf(...steps: readonly Step[]) {
  const calls: (readonly [name: string, of: readonly (string | bigint)[]])[] = []
  const unit = {
    endPromptDeclines: async (accounts: readonly string[]) => void calls.push(['end', accounts]),
    addPromptDeclines: async (of: readonly Transaction[]) => void calls.push(['add', of.map((one) => one.id)]),
  }
  await countPromptDeclines(unit, steps, START)
  return calls
}

test.each(['declined', 'cancelled', 'expired'] as const)('counts a prompt that failed as %s', async (code) => {
  const step = failed(code)
  expect(await countedOf(step)).toEqual([['add', [step.to.id]]])
})

test.each([
  ['of another reason', failed('insufficient_funds')],
  ['without a code', failed(undefined)],
  ['of a payout', failed('declined', { type: 'PAYOUT' })],
  ['of a bank', failed('expired', { method: 'BANK' })],
  ['of an order that was never sent', failed('expired', { railOrderId: undefined as unknown as string })],
  ['on the payment page', stepTo({ status: 'FAILED', failureCode: 'expired' }, 'PENDING')],
])('counts no failure %s', async (_what, step) => expect(await countedOf(step)).toEqual([]))

test('an approval ends the series of declines of an account number, a late one too', async () => {
  expect(await countedOf(completed())).toEqual([['end', ['256770000123']]])
  const late = failed('declined')
  expect(await countedOf(late, { from: 'FAILED', to: { ...late.to, status: 'COMPLETED' } })).toEqual([
    ['end', ['256770000123']],
  ])
})

test('counts declines after an approval in one batch', async () => {
  const [before, after, other] = [
    failed('declined'),
    failed('declined'),
    failed('declined', { account: '256770000456' }),
  ]
  expect(await countedOf(before, other, completed(), after)).toEqual([
    ['end', ['256770000123']],
    ['add', [after.to.id, other.to.id]],
  ])
})
