import { expect, test } from 'vitest'
import { createMerchantCache, type MerchantAsked } from './merchant-cache.ts'

interface Shop {
  readonly id: bigint
  readonly publicKey: string
  readonly name: string
}

interface Asked {
  readonly entriesMax?: number
  readonly answers?: 'at once' | 'later'
}

/** A database of merchants whose statements see it when they begin, and answer when they are told to. */
function merchantsAsked({ entriesMax = 100, answers = 'at once' }: Asked = {}) {
  const names = new Map<bigint, string>()
  const statements: { readonly asked: readonly MerchantAsked[]; answer(): void; fail(error: Error): void }[] = []
  const idOf = (asked: MerchantAsked): bigint =>
    'id' in asked ? asked.id : BigInt(asked.publicKey.replace('pub_', ''))
  const cache = createMerchantCache<Shop>({
    entriesMax,
    async read(asked) {
      const seen = asked.map((one) => {
        const [id, name] = [idOf(one), names.get(idOf(one))]
        return name === undefined ? undefined : { id, publicKey: `pub_${id}`, name }
      })
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      statements.push({ asked, answer: resolve, fail: reject })
      if (answers === 'at once') resolve()
      await promise
      return seen
    },
  })
  return { cache, names, statements, nameOf: async (asked: MerchantAsked) => (await cache.find(asked))?.name }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('who was asked for is kept, by id and by public key, until a change of it is told', async () => {
  const { cache, names, statements, nameOf } = merchantsAsked()
  names.set(1n, 'Duka').set(2n, 'Soko')
  expect([await nameOf({ publicKey: 'pub_1' }), await nameOf({ id: 2n })]).toEqual(['Duka', 'Soko'])
  names.set(1n, 'Duka Moja').set(2n, 'Soko Mbili')
  expect([await nameOf({ id: 1n }), await nameOf({ publicKey: 'pub_2' })]).toEqual(['Duka', 'Soko'])
  expect(statements).toHaveLength(2)
  cache.forget(new Set([1n]))
  expect([await nameOf({ publicKey: 'pub_1' }), await nameOf({ id: 2n })]).toEqual(['Duka Moja', 'Soko'])
  cache.forget('all')
  expect([await nameOf({ id: 1n }), await nameOf({ id: 2n })]).toEqual(['Duka Moja', 'Soko Mbili'])
})

test('a look-up that began before a change is not kept when it ends after that was told, nor shared by who asks then', async () => {
  const { cache, names, statements, nameOf } = merchantsAsked({ answers: 'later' })
  names.set(1n, 'Before').set(2n, 'Neighbour')
  const before = Promise.all([nameOf({ publicKey: 'pub_1' }), nameOf({ id: 2n })])
  await tick()
  names.set(1n, 'After')
  cache.forget(new Set([1n]))
  const after = nameOf({ publicKey: 'pub_1' })
  await tick()
  statements[0]!.answer()
  expect(await before).toEqual(['Before', 'Neighbour'])
  statements[1]!.answer()
  expect(await after).toBe('After')
  expect(await nameOf({ id: 1n })).toBe('After')
  expect(await nameOf({ id: 2n })).toBe('Neighbour')
  expect(statements.map(({ asked }) => asked)).toEqual([[{ publicKey: 'pub_1' }, { id: 2n }], [{ publicKey: 'pub_1' }]])
})

test('the same when the later look-up ends first: what the earlier one brings does not take its place', async () => {
  const { cache, names, statements, nameOf } = merchantsAsked({ answers: 'later' })
  names.set(1n, 'Before')
  const before = nameOf({ id: 1n })
  await tick()
  names.set(1n, 'After')
  cache.forget('all')
  const after = nameOf({ id: 1n })
  await tick()
  statements[1]!.answer()
  expect(await after).toBe('After')
  statements[0]!.answer()
  expect(await before).toBe('Before')
  expect(await nameOf({ id: 1n })).toBe('After')
})

test('who asks for the same at one moment shares an answer, and who asks for others a statement', async () => {
  const { names, statements, nameOf } = merchantsAsked({ answers: 'later' })
  for (const id of [1n, 2n, 3n]) names.set(id, `Shop ${id}`)
  const asked = [1n, 2n, 1n, 3n, 1n].map((id) => nameOf({ id }))
  await tick()
  asked.push(nameOf({ id: 2n }))
  await tick()
  expect(statements.map(({ asked: those }) => those)).toEqual([[{ id: 1n }, { id: 2n }, { id: 3n }]])
  statements[0]!.answer()
  expect(await Promise.all(asked)).toEqual(['Shop 1', 'Shop 2', 'Shop 1', 'Shop 3', 'Shop 1', 'Shop 2'])
})

test('those that nobody asked for the longest make room, and keys that do not exist take none', async () => {
  const { names, statements, nameOf } = merchantsAsked({ entriesMax: 2 })
  for (const id of [1n, 2n, 3n]) names.set(id, `Shop ${id}`)
  await nameOf({ id: 1n })
  await nameOf({ id: 2n })
  await nameOf({ publicKey: 'pub_1' })
  for (let n = 100; n < 200; n += 1) expect(await nameOf({ publicKey: `pub_${n}` })).toBeUndefined()
  await nameOf({ id: 3n })
  const before = statements.length
  await nameOf({ id: 1n })
  await nameOf({ id: 3n })
  expect(statements).toHaveLength(before)
  await nameOf({ id: 2n })
  expect(statements).toHaveLength(before + 1)
})

test('a merchant that was just made is found by who asked for it too early', async () => {
  const { names, nameOf } = merchantsAsked()
  expect(await nameOf({ publicKey: 'pub_7' })).toBeUndefined()
  names.set(7n, 'New')
  expect(await nameOf({ publicKey: 'pub_7' })).toBe('New')
})

test('a key longer than any of ours is not looked up', async () => {
  const { statements, nameOf } = merchantsAsked()
  expect(await nameOf({ publicKey: `pub_${'1'.repeat(200)}` })).toBeUndefined()
  expect(statements).toEqual([])
})

test('a look-up that fails is told to all who share it, and the next one asks again', async () => {
  const { names, statements, nameOf } = merchantsAsked({ answers: 'later' })
  names.set(1n, 'Duka')
  const asked = Promise.allSettled([nameOf({ id: 1n }), nameOf({ id: 1n })])
  await tick()
  statements[0]!.fail(new Error('away'))
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = nameOf({ id: 1n })
  await tick()
  statements[1]!.answer()
  expect(await again).toBe('Duka')
})
