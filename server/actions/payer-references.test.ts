import { expect, test } from 'vitest'
import type { Transaction } from '../domain/transaction.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { accepted, START } from '../verification/testing/transactions.ts'
import type { Rail, RailAnswer, RailOrder } from './ports/rail.ts'
import { submitToRail } from './submit-to-rail.ts'

const HOUR_MS = 3_600_000

/** A rail without idempotency, whose payers read no reference of ours. */
const rail = (submit: (order: RailOrder) => Promise<RailAnswer>): Rail => ({
  railAccountOf: (providerCode) => providerCode,
  traitsOf: () => ({ repeat: 'never', pollAfterMs: () => 60_000 }),
  submit: (orders) => Promise.all(orders.map(submit)),
  query: async (orders) => orders.map(() => ({ knows: 'unreachable', error: 'it cannot be asked' })),
})

/** Like M-PESA: candidates made from the merchant's reference, and a last one that is derived from the order id. */
const naming = (submit: (order: RailOrder) => Promise<RailAnswer>): Rail => ({
  ...rail(submit),
  payerReference: ({ merchantReference, orderId }) => ({
    candidates: [merchantReference.slice(0, 8), `${merchantReference.slice(0, 6)}-2`, orderId],
    scope: 'short-code',
    uniqueForMs: 48 * HOUR_MS,
  }),
})

const accepts = async (): Promise<RailAnswer> => ({ answer: 'accepted' })

onBothStores((under) => {
  const depsOf = (given: Rail, nowMs = START.getTime()) => railDeps(under(), given, () => new Date(nowMs))
  const claim = (seconds: number) => claimDue(under(), 'submitToRail', seconds)
  const namesOf = async ({ id }: Transaction) =>
    (await under().store.transaction((unit) => unit.railReferences([id]))).get(id)?.externalIds
  const acceptedAs = (merchantReference: string) => accepted(under(), { merchantReference })

  test('commits the payer reference before the order goes out with it', async () => {
    const transaction = await acceptedAs('SENT0001')
    const sent: (readonly [RailOrder['externalIds'], unknown])[] = []
    const looking = naming(async (order) => {
      sent.push([order.externalIds, await namesOf(transaction)])
      return { answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_CO_1' } }
    })
    await submitToRail(depsOf(looking), await claim(0))
    const externalIds = { AccountReference: 'SENT0001' }
    expect(sent).toEqual([[externalIds, externalIds]])
    expect(await namesOf(transaction)).toEqual({ ...externalIds, CheckoutRequestID: 'ws_CO_1' })
  })

  test('no two orders share a payer reference, whoever sends them', async () => {
    const transactions = await Promise.all(['TWICE001', 'twice001', 'TWICE001-b', 'TWICE001-c'].map(acceptedAs))
    const items = await claim(0)
    const two = [items.slice(0, 2), items.slice(2)]
    await Promise.all(two.map((batch) => submitToRail(depsOf(naming(accepts)), batch)))
    const names = await Promise.all(transactions.map(async (one) => (await namesOf(one))?.['AccountReference']))
    expect(names.every((name) => name !== undefined)).toBe(true)
    expect(new Set(names.map((name) => name?.toUpperCase())).size).toBe(4)
  })

  test('a payer reference stays the same when the first attempt never arrived', async () => {
    const transaction = await acceptedAs('AGAIN001')
    const sent: string[] = []
    const away = naming(async ({ externalIds, orderId }) => {
      sent.push(`${externalIds['AccountReference']} ${orderId}`)
      return { answer: 'not_sent', error: 'nobody is there' }
    })
    await submitToRail(depsOf(away), await claim(0))
    await submitToRail(depsOf(away), await claim(60))
    expect(sent.map((one) => one.split(' ')[0])).toEqual(['AGAIN001', 'AGAIN001'])
    expect(new Set(sent).size).toBe(2)
    expect(await namesOf(transaction)).toEqual({ AccountReference: 'AGAIN001' })
  })

  test('a query about an order whose reply was lost carries the payer reference', async () => {
    await acceptedAs('ASKED001')
    const queried: RailOrder['externalIds'][] = []
    const lost: Rail = {
      ...naming(() => Promise.reject(new Error('died'))),
      query: async (orders) => {
        queried.push(...orders.map(({ externalIds }) => externalIds))
        return orders.map(() => ({ knows: 'unreachable', error: 'silent' }))
      },
    }
    await expect(submitToRail(depsOf(lost), await claim(0))).rejects.toThrow('died')
    await submitToRail(depsOf(lost), await claim(31))
    expect(queried).toEqual([{ AccountReference: 'ASKED001' }])
  })

  test('a payer reference is free for another order two days later', async () => {
    const first = await acceptedAs('LATER001')
    await submitToRail(depsOf(naming(accepts)), await claim(0))
    const late = START.getTime() + 48 * HOUR_MS
    const second = await accepted(under(), { merchantReference: 'LATER001', createdAt: new Date(late - 1_000) })
    await submitToRail(depsOf(naming(accepts), late), await claim(48 * 3_600))
    expect([await namesOf(first), await namesOf(second)]).toEqual(
      Array.from({ length: 2 }, () => ({ AccountReference: 'LATER001' })),
    )
  })

  test('a rail whose payers read no reference stores none', async () => {
    const transaction = await acceptedAs('NONE0001')
    const none: Rail = { ...rail(accepts), payerReference: () => undefined }
    await submitToRail(depsOf(none), await claim(0))
    expect(await namesOf(transaction)).toEqual({})
  })
})
