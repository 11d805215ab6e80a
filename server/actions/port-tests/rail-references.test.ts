import { expect, test } from 'vitest'
import { onBothStores } from '../../testing/stores.ts'
import { accepted, at, uniqueId } from '../../testing/transactions.ts'
import { OUR_REFERENCE, type RailReference } from '../ports/unit.ts'

onBothStores((under) => {
  const add = (references: readonly RailReference[], seconds: number) =>
    under().store.transaction((unit) => unit.addRailReferences(references, at(seconds)))
  const namesOf = (...ids: readonly bigint[]) => under().store.transaction((unit) => unit.railReferences(ids))
  const reference = (transactionId: bigint, name: string, text: string): RailReference => ({
    transactionId,
    installation: 'mtn-uganda',
    name,
    reference: text,
  })

  test('of several under one name the latest counts, and an order is as old as its latest id', async () => {
    const { id } = await accepted(under())
    await add([reference(id, OUR_REFERENCE, 'first'), reference(id, 'receipt', 'R1')], 1)
    await add([reference(id, OUR_REFERENCE, 'second'), reference(id, 'receipt', 'R2')], 2)
    expect(await namesOf(id)).toEqual(new Map([[id, { theirs: { receipt: 'R2' }, orderedAt: at(2) }]]))
  })

  test('the same one again changes nothing, and what nobody named is not there', async () => {
    const { id } = await accepted(under())
    await add([reference(id, 'receipt', 'R1')], 1)
    await add([reference(id, 'receipt', 'R1')], 2)
    expect(await namesOf(id, uniqueId())).toEqual(new Map([[id, { theirs: { receipt: 'R1' } }]]))
    expect(await namesOf()).toEqual(new Map())
  })

  test('a unit that fails has named nothing', async () => {
    const { id } = await accepted(under())
    await expect(
      under().store.transaction(async (unit) => {
        await unit.addRailReferences([reference(id, 'receipt', 'R1')], at(1))
        expect((await unit.railReferences([id])).get(id)?.theirs).toEqual({ receipt: 'R1' })
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await namesOf(id)).toEqual(new Map())
  })
})
