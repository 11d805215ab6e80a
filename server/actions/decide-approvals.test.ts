import { beforeEach, expect, test } from 'vitest'
import type { Standing } from '../domain/approvals.ts'
import { digestOfAll, orderDigest, type Party } from '../domain/approvals.ts'
import { money, type Money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import { MERCHANT_CANCELLED, type Transaction } from '../domain/transaction.ts'
import { railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { accepted, at, newTransaction, uniqueToken } from '../verification/testing/transactions.ts'
import { decidePayout, expireApprovals, type PayoutDecision } from './decide-approvals.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import type { Rail } from './ports/rail.ts'
import { endUnsent } from './resolve-transaction.ts'

const DAY = 86_400
const ugx = (amountMinor: bigint) => money(amountMinor, 'UGX')

onBothStores((under) => {
  let merchantId: bigint
  beforeEach(async () => {
    merchantId = await under().newMerchant('https://shop.example/')
    await under().coverPayouts(merchantId, ugx(1_000n))
  })

  const depsAt = (seconds: number) => railDeps({ store: under().store }, {} as Rail, () => at(seconds))
  const payout = (changes: Partial<NewTransaction> = {}) =>
    accepted(under(), { merchantId, type: 'PAYOUT', firstJob: { kind: 'verifyPayout', dueAt: at(0) }, ...changes })
  const person = async (standing: Partial<Standing> = {}): Promise<Party> => ({
    name: 'Amina',
    personId: await under().newPerson({ role: 'finance', merchantId, ...standing }),
  })
  const decide = (one: Transaction, by: Party, changes: Partial<PayoutDecision> = {}, seconds = 60) =>
    decidePayout(depsAt(seconds), {
      transactionId: one.id,
      state: 'approved',
      by,
      digestSeen: orderDigest(one),
      ...changes,
    })
  const now = async (one: Transaction) =>
    present(await under().lookups.transactionByMerchantReference(merchantId, one.merchantReference), 'a payout')
  const jobs = async () => (await under().read.work()).map(({ kind, dueAt }) => [kind, dueAt])
  const kinds = async (one: Transaction) => (await under().read.events(one.id)).map(({ kind }) => kind)
  async function runExpiry(seconds: number): Promise<void> {
    const claim = { token: uniqueToken(), now: at(10 * DAY), leaseUntil: at(11 * DAY) }
    await expireApprovals(depsAt(seconds), await under().queue.claim('expireApproval', claim, 10))
  }

  test('a payout about which nobody decides fails after 24 hours', async () => {
    const one = await payout()
    await runExpiry(DAY - 1)
    expect(await jobs()).toEqual([['expireApproval', at(DAY)]])
    expect(await decide(one, await person(), {}, DAY)).toBe('expired')
    await runExpiry(DAY)
    expect(await now(one)).toMatchObject({
      status: 'FAILED',
      statusMessage: 'Payout was not approved in time',
      failureCode: 'approval_expired',
    })
    expect(await decide(one, await person())).toBe('decided')
  })

  test('of decisions at once exactly one stands', async () => {
    const one = await payout()
    const people = await Promise.all(Array.from({ length: 4 }, () => person()))
    const decisions = people.map((by, n) => decide(one, by, { state: n % 2 === 0 ? 'approved' : 'refused' }))
    const refusals = await Promise.all([...decisions, runExpiry(60)])
    expect(refusals.filter((refusal) => refusal === 'decided')).toHaveLength(3)
    expect((await kinds(one)).filter((kind) => kind.startsWith('approval_'))).toHaveLength(1)
  })

  test('one decision is about all payouts of a batch in one currency, and about no other', async () => {
    const [first, second, cancelled, kes] = await batch([600n, 600n, 600n], [money(2_000n, 'KES')])
    await under().store.transaction((unit) => endUnsent(unit, depsAt(1), cancelled, MERCHANT_CANCELLED))
    const digestSeen = digestOfAll([first, second, cancelled].map(orderDigest))
    expect(await decide(second, await person())).toBe('changed')
    expect(await decide(second, await person(), { digestSeen })).toBeUndefined()
    expect(await decide(first, await person(), { digestSeen })).toBe('decided')
    expect(await jobs()).toEqual(
      expect.arrayContaining([
        ['verifyPayout', at(60)],
        ['verifyPayout', at(60)],
      ]),
    )
    expect(await Promise.all([first, second, cancelled, kes].map(statusOf))).toEqual([
      'PENDING: Transaction Pending',
      'PENDING: Transaction Pending',
      'FAILED: Payout cancelled by the merchant',
      "PENDING: Waiting for the merchant's approver",
    ])
  })

  const statusOf = async (one: Transaction) => {
    const { status, statusMessage } = await now(one)
    return `${status}: ${statusMessage}`
  }

  async function batch(amounts: readonly bigint[], others: readonly Money[]): Promise<Four> {
    await under().coverPayouts(merchantId, money(1_000n, 'KES'))
    const payouts = [
      ...amounts.map((amountMinor) => ({ amount: ugx(amountMinor), approvedAs: ugx(1_200n) })),
      ...others.map((amount) => ({ amount, approvedAs: amount })),
    ].map((one) =>
      newTransaction({ merchantId, type: 'PAYOUT', firstJob: { kind: 'verifyPayout', dueAt: at(0) }, ...one }),
    )
    const reference = `batch-${uniqueToken()}`
    const rows = payouts.map((one, index) => ({ line: index + 1, payout: one }))
    await under().batches.accept({ merchantId, reference, createdAt: at(0), finishAt: at(1), rows }, false)
    const found = await under().batches.find(merchantId, reference)
    return (found?.payouts ?? []).map(({ payout: one }) => one) as unknown as Four
  }
})

type Four = readonly [Transaction, Transaction, Transaction, Transaction]
