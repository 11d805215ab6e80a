import { describe, expect, test } from 'vitest'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, uniqueId } from '../../verification/testing/transactions.ts'
import { messagesRefused, type RailCallback } from '../ports/rail-callbacks.ts'
import {
  OUR_REFERENCE,
  QUESTION_REFERENCE,
  type RailReference,
  type ReferenceOrigin,
} from '../ports/rail-references.ts'
import type { Job } from '../ports/jobs.ts'

onBothStores((under) => {
  const add = (references: readonly RailReference[], seconds: number) =>
    under().store.transaction((unit) => unit.addRailReferences(references, at(seconds)))
  const namesOf = (...ids: readonly bigint[]) => under().store.transaction((unit) => unit.railReferences(ids))
  const reference = (transactionId: bigint, name: string, text: string): RailReference => ({
    transactionId,
    railAccount: 'mtn-uganda',
    name,
    reference: text,
  })

  test('the latest order of one name counts; an order is as old as its latest id', async () => {
    const { id } = await accepted(under())
    await add([reference(id, OUR_REFERENCE, 'first'), reference(id, 'receipt', 'R1')], 1)
    await add([reference(id, OUR_REFERENCE, 'second'), reference(id, 'receipt', 'R2')], 2)
    expect(await namesOf(id)).toEqual(new Map([[id, { externalIds: { receipt: 'R2' }, orderedAt: at(2) }]]))
  })

  test('a repeated name changes nothing, and an unknown one is absent', async () => {
    const { id } = await accepted(under())
    await add([reference(id, 'receipt', 'R1')], 1)
    await add([reference(id, 'receipt', 'R1')], 2)
    expect(await namesOf(id, uniqueId())).toEqual(new Map([[id, { externalIds: { receipt: 'R1' } }]]))
    expect(await namesOf()).toEqual(new Map())
  })

  test("records a name's source: a call or statement replaces an operator message", async () => {
    const { id } = await accepted(under())
    const from = (name: string, origin: ReferenceOrigin, text = 'R1') => ({ ...reference(id, name, text), origin })
    await add([from('receipt', 'message'), reference(id, 'old', 'R1'), from('conversation', 'call', 'AG_1')], 1)
    const externalIds = { receipt: 'R1', old: 'R1', conversation: 'AG_1' }
    expect(await namesOf(id)).toEqual(
      new Map([[id, { externalIds, origins: { receipt: 'message', conversation: 'call' } }]]),
    )
    await add([from('receipt', 'message'), from('receipt', 'statement'), from('old', 'call')], 2)
    await add([from('receipt', 'message'), from('old', 'message'), from('conversation', 'message', 'FORGED')], 3)
    expect(await namesOf(id)).toEqual(
      new Map([[id, { externalIds, origins: { receipt: 'statement', old: 'call', conversation: 'call' } }]]),
    )
  })

  test('stores queries apart from names, the latest 50 of them', async () => {
    const { id } = await accepted(under())
    const questions = Array.from({ length: 53 }, (_, n) => `AG_${String(n).padStart(2, '0')}`)
    for (const [n, text] of questions.entries()) await add([reference(id, QUESTION_REFERENCE, text)], n)
    await add([reference(id, QUESTION_REFERENCE, 'AG_52')], 60)
    const found = (await namesOf(id)).get(id)
    expect([found?.externalIds, found?.questions?.toSorted()]).toEqual([{}, questions.slice(3)])
  })

  test('a unit that fails stores no name', async () => {
    const { id } = await accepted(under())
    await expect(
      under().store.transaction(async (unit) => {
        await unit.addRailReferences([reference(id, 'receipt', 'R1')], at(1))
        expect((await unit.railReferences([id])).get(id)?.externalIds).toEqual({ receipt: 'R1' })
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await namesOf(id)).toEqual(new Map())
  })

  describe("an operator's message", () => {
    const orderIdOf = (id: bigint): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
    const report = (id: bigint, changes: Partial<RailCallback> = {}, seconds = 2) =>
      under().railCallbacks.receive(
        { railAccount: 'mtn-uganda', orderId: orderIdOf(id), method: 'PUT', body: 'paid', ...changes },
        at(seconds),
      )
    const work = async () => (await under().read.work()).filter(({ kind }) => kind === 'readRailCallback')
    const items = async () => (await work()).map(({ kind, subjectId }): Job => ({ ...NOBODYS, kind, subjectId }))
    const ordered = async () => {
      const { id } = await accepted(under())
      await add([reference(id, OUR_REFERENCE, orderIdOf(id)), reference(id, 'receipt', `R${id}`)], 1)
      return id
    }

    test('stores a message with its job; deduplicates it, and stores different words anew', async () => {
      const id = await ordered()
      expect([
        await report(id),
        await report(id),
        await report(id, { tail: 'status' }),
        await report(id, { body: 'failed' }),
      ]).toEqual(['stored', 'known', 'stored', 'stored'])
      const loaded = await under().railCallbacks.load(await items())
      expect(new Set(loaded.map(({ tail, body }) => `${tail}: ${body}`))).toEqual(
        new Set(['status: paid', 'undefined: failed', 'undefined: paid']),
      )
      expect(loaded.map(({ transactionId }) => transactionId)).toEqual([id, id, id])
      expect((await work()).map(({ dueAt }) => dueAt)).toEqual([at(2), at(2), at(2)])
    })

    test('stores nothing about an unknown order or one of another rail account', async () => {
      const id = await ordered()
      expect([await report(uniqueId()), await report(id, { railAccount: 'mtn-ghana' })]).toEqual([
        'unknown_order',
        'unknown_order',
      ])
      expect(await work()).toEqual([])
    })

    test('that was read is not read again and is still known', async () => {
      const id = await ordered()
      await report(id)
      const [first] = await under().railCallbacks.load(await items())
      await under().store.transaction((unit) => unit.endRailCallback(first!.id, 'confirmed', at(3)))
      expect([await under().railCallbacks.load(await items()), await report(id)]).toEqual([[], 'known'])
    })

    const flood = async (id: bigint, count: number, changes: Partial<RailCallback> = {}) => {
      for (let n = 0; n < count; n += 1) expect(await report(id, { body: `${n}`, ...changes })).toBe('stored')
    }

    test('of a flood is stored up to a bound within an hour, at all addresses together', async () => {
      const id = await ordered()
      await flood(id, 25)
      await flood(id, 25, { tail: 'status' })
      expect([
        await report(id, { body: 'more' }),
        await report(id, { body: '1' }),
        await report(id, { body: 'more', tail: 'result' }),
        await report(id, { body: 'more' }, 2 + 3_601),
      ]).toEqual(['too_many', 'known', 'too_many', 'stored'])
    })

    test('is stored once and beyond every bound when a spool acknowledged it', async () => {
      const id = await ordered()
      await flood(id, 50)
      const late = { body: 'spooled', isAcknowledged: true }
      expect([await report(id, { body: 'more' }), await report(id, late), await report(id, late)]).toEqual([
        'too_many',
        'stored',
        'known',
      ])
    })

    test('with a verdict is stored despite a flood without one, up to its own bound', async () => {
      const id = await ordered()
      await flood(id, 50)
      for (let n = 0; n < 200; n += 1) expect(await report(id, { body: `v${n}`, hasVerdict: true })).toBe('stored')
      expect([await report(id, { body: 'v', hasVerdict: true }), await report(id, { body: 'more' })]).toEqual([
        'too_many',
        'too_many',
      ])
      await report(id, { body: 'w', hasVerdict: true })
      const { kind } = messagesRefused(true)
      const recorded = (await under().read.events(id)).filter((event) => event.kind === kind)
      expect(recorded.map(({ detail }) => detail)).toEqual([
        messagesRefused(true).detail,
        messagesRefused(false).detail,
      ])
    })

    test('by a former token applies to earlier orders only', async () => {
      const id = await ordered()
      expect([
        await report(id, { orderedUntilMs: at(0.5).getTime() }),
        await report(id, { orderedUntilMs: at(1).getTime() }),
      ]).toEqual(['unknown_order', 'stored'])
    })

    test('names its order by any name that the operator gave it', async () => {
      const id = await ordered()
      const called = (railAccount: string, ...names: string[]) =>
        under().railCallbacks.transactionsCalled(railAccount, names)
      expect([
        await called('mtn-uganda', 'R', `R${id}`),
        await called('mtn-ghana', `R${id}`),
        await called('mtn-uganda'),
      ]).toEqual([[id], [], []])
    })
  })
})

const NOBODYS = { id: 0n, attempt: 1, token: '0'.repeat(32), failures: 0 } as const
