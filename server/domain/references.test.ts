import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  fraction,
  newCallbackId,
  newClaimToken,
  newInternalReference,
  newMerchantReference,
  newOrderId,
  timeOfReference,
  transactionOfCallbackId,
  type Random,
  pooledRandom,
} from './references.ts'

const random: Random = { bytes: (size) => randomBytes(size) }
const NOW = new Date('2026-11-23T12:00:00Z')

test('internal references are MLP and 22 characters of Crockford base32', () => {
  expect(newInternalReference(random, NOW)).toMatch(/^MLP[0-9A-HJKMNP-TV-Z]{22}$/)
})

test('internal references sort by their time and contain it within two seconds', () => {
  const at = (ms: number) => newInternalReference(every(0), new Date(NOW.getTime() + ms))
  expect(at(0)).toBe('MLP37R9700000000000000000')
  expect([at(86_400_000), at(2_000), at(0)].toSorted()).toEqual([at(0), at(2_000), at(86_400_000)])
  expect(timeOfReference(at(1_999))).toEqual({ from: NOW, until: new Date(NOW.getTime() + 2_000) })
  expect(timeOfReference(newInternalReference(random, new Date(0)))?.from).toEqual(new Date('2020-01-01T00:00:00Z'))
  expect(newInternalReference(every(0), new Date('2200-01-01T00:00:00Z'))).toMatch(/^MLPZZZZZZ0{16}$/)
  for (const other of ['', 'MLP', 'ORDER-1234567890123456789', 'MLPILOU000000000000000000', `${at(0)}0`])
    expect(timeOfReference(other)).toBeUndefined()
})

test('generated merchant references are MREF and 16 such characters', () =>
  expect(newMerchantReference(random)).toMatch(/^MREF[0-9A-HJKMNP-TV-Z]{16}$/))

test('ids of callbacks are cb_ and 26 such characters', () =>
  expect(newCallbackId(random, 1n)).toMatch(/^cb_[0-9A-HJKMNP-TV-Z]{26}$/))

test('a callback id contains whose it is', () => {
  for (const id of [1n, 915_049_574_400_016n, BigInt(Number.MAX_SAFE_INTEGER)])
    expect(transactionOfCallbackId(newCallbackId(random, id))).toBe(id)
  for (const other of ['', 'cb_1', 'cb_ILOUILOUILOUILOUILOUILOU12', `cb_${'Z'.repeat(26)}`])
    expect(transactionOfCallbackId(other)).toBeUndefined()
})

test('every symbol is equally likely', () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 2_000; n += 1)
    for (const symbol of newMerchantReference(random).slice(4)) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  expect(counts.size).toBe(32)
  // 32,000 symbols, 1,000 each on average with a standard deviation of 31: ten deviations do not occur by chance.
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(310)
})

test('a fraction is at least 0 and below 1', () => {
  expect(fraction({ bytes: () => new Uint8Array([0, 0]) })).toBe(0)
  expect(fraction({ bytes: () => new Uint8Array([255, 255]) })).toBe(65_535 / 65_536)
  expect(fraction({ bytes: () => new Uint8Array([128, 1]) })).toBe(0.5 + 1 / 65_536)
  expect(fraction({ bytes: () => new Uint8Array([]) })).toBe(0)
})

/** The value of each byte is its index: 0, 1, 2 … */
const counting: Random = { bytes: (size) => Uint8Array.from({ length: size }, (_, place) => place) }
const every = (byte: number): Random => ({ bytes: (size) => new Uint8Array(size).fill(byte) })

test('an order id is a version 4 UUID of RFC 9562 with all other bits random', () => {
  expect(newOrderId(counting)).toBe('00010203-0405-4607-8809-0a0b0c0d0e0f')
  expect(newOrderId(every(0x00))).toBe('00000000-0000-4000-8000-000000000000')
  expect(newOrderId(every(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
})

test('a claim token is 128 bits, as hexadecimal digits', () => {
  expect(newClaimToken(counting)).toBe('000102030405060708090a0b0c0d0e0f')
  expect(newClaimToken(every(0xff))).toBe('f'.repeat(32))
})

test('every request gets as many bytes as it needs, and no byte comes twice', () => {
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

test('serves sizes that do not divide the pool, and sizes above it', () => {
  const random = pooledRandom(randomBytes)
  for (const size of [0, 1, 12, 22, 5_000, 8_192, 20_000]) expect(random.bytes(size)).toHaveLength(size)
})
