import fc from 'fast-check'
import { expect } from 'vitest'
import { money } from '../../../domain/money.ts'
import type { CallbackReading, ReceivedCallback } from '../../rail-kind.ts'
import type { BookedOrder, Lie, Verdict } from '../counterpart.ts'
import { wireRule, type Rule } from '../rule.ts'
import type { OpenWire, WireStage } from '../wire-stage.ts'

async function booked(stage: WireStage): Promise<BookedOrder> {
  const order = stage.order()
  await stage.submit(order)
  const [found] = stage.operator.orders(order.account)
  if (!found) throw new Error('the order is not in the book')
  return found
}

async function reading(open: OpenWire, verdict: Verdict): Promise<CallbackReading | undefined> {
  const stage = await open()
  return stage.adapter.readCallback(stage.operator.callback(await booked(stage), verdict).received)
}

/** How the reading of a message exposes a lie in it. */
const seen: Readonly<Record<keyof Lie, (read: CallbackReading) => unknown>> = {
  orderId: ({ orderId }) => orderId,
  amount: ({ amount }) => amount,
  currency: ({ amount }) => amount?.currency,
  account: ({ account }) => account,
  names: ({ externalIds }) => externalIds,
}

/** Messages of an operator are claims: a rail reads all that they say and trusts none of it. */
export const CALLBACKS: readonly Rule[] = [
  wireRule(
    'a message is read correctly',
    'an unread result is polled much later, or never reported at all',
    ['callbacks'],
    async (open) => {
      expect((await reading(open, 'paid'))?.outcome).toEqual({ status: 'COMPLETED' })
      const failed = (await reading(open, 'failed'))?.outcome
      expect(failed?.status).toBe('FAILED')
      if (failed?.status === 'FAILED') expect(failed.reason).not.toBe('')
    },
  ),
  wireRule(
    'a message with an undocumented result claims no verdict',
    'unknown is not failed, even in an operator message',
    ['callbacks'],
    async (open) => {
      for (const verdict of ['strange', 'pending'] as const)
        expect((await reading(open, verdict))?.outcome).toBeUndefined()
    },
  ),
  wireRule(
    "a message's order, amount, account and names are read, not skipped",
    'the gateway compares them with the order and can compare only what it gets',
    ['callbacks'],
    async (open) => {
      const stage = await open()
      const order = await booked(stage)
      const { callbackWith, names } = stage.counterpart.words
      const lies: Required<Lie> = {
        orderId: '0b9d8f6e-0000-4000-8000-000000000000',
        amount: money(100n, stage.counterpart.currency),
        currency: 'RWF',
        account: stage.counterpart.account(9_999),
        names: names({ ...order, orderId: order.orderId, number: 9_999 }),
      }
      for (const kind of callbackWith) {
        const { received } = stage.operator.callback(order, 'paid', { [kind]: lies[kind] })
        const read = stage.adapter.readCallback(received)
        expect([kind, read && seen[kind](read)]).toEqual([
          kind,
          kind === 'names' ? expect.objectContaining(lies.names) : lies[kind],
        ])
      }
    },
  ),
  wireRule(
    'a success that cannot be polled carries its order and its amount',
    'nothing else distinguishes it from a forged one',
    ['callbacks'],
    async (open) => {
      const read = await reading(open, 'paid')
      if (read?.mayQuery === false) {
        expect(read.amount).toBeDefined()
        // An order that takes no id of ours has one that the operator gave it.
        expect(read.orderId ?? Object.values(read.externalIds)[0]).toBeDefined()
      }
    },
  ),
  wireRule(
    'a message that is believed without a poll names its type of order',
    'all addresses of an order have one token: an order of the other type must not end by it',
    ['callbacks'],
    async (open) => {
      const stage = await open()
      const order = await booked(stage)
      const { type, collectionOf } = stage.counterpart
      for (const verdict of ['paid', 'failed'] as const) {
        const read = stage.adapter.readCallback(stage.operator.callback(order, verdict).received)
        if (read?.mayQuery === false) expect(read.type).toBe(collectionOf ? 'REFUND' : type)
      }
    },
  ),
  wireRule(
    'a message at an address that was never given out is not read',
    'the address gives a message its meaning: at another one it means something else',
    ['callbacks'],
    async (open) => {
      const stage = await open()
      const { received } = stage.operator.callback(await booked(stage), 'paid')
      expect(stage.adapter.readCallback({ ...received, tail: 'elsewhere' })).toBeUndefined()
      expect(stage.adapter.readCallback({ ...received, tail: 'constructor' })).toBeUndefined()
    },
  ),
  wireRule(
    'reading a message never throws, and its result has the right form',
    'anybody on the internet may write to that address',
    ['callbacks'],
    async (open) => {
      const stage = await open()
      const order = await booked(stage)
      const bodies = (['paid', 'failed', 'strange'] as const).map((verdict) => stage.operator.callback(order, verdict))
      for (const { received } of bodies)
        fc.assert(
          fc.property(spoiled(received), (spoilt) => {
            expectWellFormed(stage.adapter.readCallback(spoilt))
          }),
          { numRuns: 150 },
        )
    },
  ),
]

/** Messages that resemble a good one in part, or not at all. */
function spoiled(good: ReceivedCallback): fc.Arbitrary<ReceivedCallback> {
  const value = fc.oneof(
    fc.constantFrom(null, '', 0, -1, 1e21, '1e9', '-5', '5,000', 'NaN', [], {}, true, '\u0000', '__proto__'),
    fc.jsonValue(),
  )
  const replaced = fc.tuple(fc.nat(30), value).map(([at, put]) => {
    let seenSoFar = -1
    return JSON.stringify(
      JSON.parse(good.body, (_key, each: unknown) => {
        seenSoFar += 1
        return seenSoFar === at ? put : each
      }),
    )
  })
  const cut = fc.nat(good.body.length).map((length) => good.body.slice(0, length))
  const bytes = fc.array(fc.nat(0xff_ff), { maxLength: 100 }).map((codes) => String.fromCharCode(...codes))
  const body = fc.oneof(replaced, replaced, cut, fc.json(), bytes)
  return fc.record({
    method: fc.constantFrom('POST' as const, 'PUT' as const),
    body,
    ...(good.tail !== undefined && { tail: fc.constantFrom(good.tail, good.tail, 'status', 'timeout', 'refund') }),
  })
}

function expectWellFormed(read: CallbackReading | undefined): void {
  if (!read) return
  expect(typeof read.mayQuery).toBe('boolean')
  for (const [name, text] of Object.entries(read.externalIds)) expect([name, typeof text]).toEqual([name, 'string'])
  if (read.amount) expect(read.amount.amountMinor >= 0n).toBe(true)
  if (read.outcome) expect(['COMPLETED', 'FAILED']).toContain(read.outcome.status)
  if (read.outcome?.status === 'COMPLETED' && !read.mayQuery) expect(read.amount).toBeDefined()
}
