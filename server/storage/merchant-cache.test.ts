import { expect, test } from 'vitest'
import { createMerchantCache, type MerchantKey } from './merchant-cache.ts'

interface Shop {
  readonly id: bigint
  readonly publicKey: string
  readonly name: string
}

interface CacheOptions {
  readonly entriesMax?: number
  readonly answers?: 'at once' | 'later'
}

/** A fake database of merchants: a statement takes its snapshot when it begins, and answers when the test lets it. */
function merchantsQueried({ entriesMax = 100, answers = 'at once' }: CacheOptions = {}) {
  const names = new Map<bigint, string>()
  const statements: { readonly keys: readonly MerchantKey[]; answer(): void; fail(error: Error): void }[] = []
  const idOf = (queried: MerchantKey): bigint =>
    'id' in queried ? queried.id : BigInt(queried.publicKey.replace('pub_', ''))
  const cache = createMerchantCache<Shop>({
    entriesMax,
    async read(queried) {
      const seen = queried.map((one) => {
        const [id, name] = [idOf(one), names.get(idOf(one))]
        return name === undefined ? undefined : { id, publicKey: `pub_${id}`, name }
      })
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      statements.push({ keys: queried, answer: resolve, fail: reject })
      if (answers === 'at once') resolve()
      await promise
      return seen
    },
  })
  return { cache, names, statements, nameOf: async (queried: MerchantKey) => (await cache.find(queried))?.name }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('caches by id and by public key until a change is notified', async () => {
  const { cache, names, statements, nameOf } = merchantsQueried()
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

test('discards a lookup from before a notified change; later callers do not share it', async () => {
  const { cache, names, statements, nameOf } = merchantsQueried({ answers: 'later' })
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
  expect(statements.map(({ keys: queried }) => queried)).toEqual([
    [{ publicKey: 'pub_1' }, { id: 2n }],
    [{ publicKey: 'pub_1' }],
  ])
})

test('the same when the later lookup ends first: the earlier does not replace it', async () => {
  const { cache, names, statements, nameOf } = merchantsQueried({ answers: 'later' })
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

test('concurrent callers share a lookup per merchant and one statement for all', async () => {
  const { names, statements, nameOf } = merchantsQueried({ answers: 'later' })
  for (const id of [1n, 2n, 3n]) names.set(id, `Shop ${id}`)
  const queried = [1n, 2n, 1n, 3n, 1n].map((id) => nameOf({ id }))
  await tick()
  queried.push(nameOf({ id: 2n }))
  await tick()
  expect(statements.map(({ keys: those }) => those)).toEqual([[{ id: 1n }, { id: 2n }, { id: 3n }]])
  statements[0]!.answer()
  expect(await Promise.all(queried)).toEqual(['Shop 1', 'Shop 2', 'Shop 1', 'Shop 3', 'Shop 1', 'Shop 2'])
})

test('evicts the least recently used entries; absent keys take no space', async () => {
  const { names, statements, nameOf } = merchantsQueried({ entriesMax: 2 })
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

test('finds a new merchant also for whoever looked it up too early', async () => {
  const { names, nameOf } = merchantsQueried()
  expect(await nameOf({ publicKey: 'pub_7' })).toBeUndefined()
  names.set(7n, 'New')
  expect(await nameOf({ publicKey: 'pub_7' })).toBe('New')
})

test('does not look up a key longer than any of ours', async () => {
  const { statements, nameOf } = merchantsQueried()
  expect(await nameOf({ publicKey: `pub_${'1'.repeat(200)}` })).toBeUndefined()
  expect(statements).toEqual([])
})

test('a failed lookup is reported to all who share it, and the next one retries', async () => {
  const { names, statements, nameOf } = merchantsQueried({ answers: 'later' })
  names.set(1n, 'Duka')
  const queried = Promise.allSettled([nameOf({ id: 1n }), nameOf({ id: 1n })])
  await tick()
  statements[0]!.fail(new Error('away'))
  expect((await queried).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = nameOf({ id: 1n })
  await tick()
  statements[1]!.answer()
  expect(await again).toBe('Duka')
})
