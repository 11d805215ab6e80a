import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { pooledRandom } from './random.ts'

test('every request gets as many bytes as it asked for, and no byte comes twice', () => {
  let counter = 0
  // A source that never repeats within four bytes reveals any byte that is returned twice.
  const counting = (size: number): Buffer => {
    const bytes = Buffer.alloc(size)
    for (let offset = 0; offset + 4 <= size; offset += 4) bytes.writeUInt32BE(counter++, offset)
    return bytes
  }
  const random = pooledRandom(counting)
  const seen = Array.from({ length: 10_000 }, () => Buffer.from(random.bytes(4)).readUInt32BE())
  expect(new Set(seen).size).toBe(10_000)
})

test('sizes that do not divide the pool, and sizes above it, are served too', () => {
  const random = pooledRandom(randomBytes)
  for (const size of [0, 1, 12, 22, 5_000, 8_192, 20_000]) expect(random.bytes(size)).toHaveLength(size)
})
