import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/proxy.ts'
import { collects, json, replied, REPLAYED, retrieves } from '../testing/exchanges.ts'
import { testRows } from '../testing/reports.ts'
import { randomReferencesRule } from './random-references.ts'
import { notRandom } from './randomness.ts'
import { uniqueIdsRule } from './unique-ids.ts'

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Symbols of a hash: the same in each run of the test. */
const drawn = (seed: string, length = 16): string =>
  [...createHash('sha256').update(seed).digest()]
    .slice(0, length)
    .map((byte) => SYMBOLS[byte % 32])
    .join('')
const encoded = (value: number, length: number): string =>
  Array.from({ length }, (_, at) => SYMBOLS[Math.floor(value / 32 ** (length - 1 - at)) % 32]).join('')
const times = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index))
/** Numbers below 2^53 in a random order. */
const mixed = (index: number): number => createHash('sha256').update(`mixed ${index}`).digest().readUIntBE(0, 6)

test.each([20, 100, 500, 1_500])('%i random texts pass', (count) => {
  for (const run of ['a', 'b', 'c']) expect(notRandom(times(count, (n) => drawn(`${run} ${n}`)))).toBeUndefined()
})

test.each<[string, number, (index: number) => string, RegExp]>([
  ['a counter', 25, (n) => encoded(n + 7, 16), /^has 0 as symbol 1 in 25 of 25/],
  ['a constant symbol', 25, (n) => `${drawn(`c ${n}`, 15)}Z`, /^has Z as symbol 16/],
  ['a step of five in one symbol', 25, (n) => `${drawn(`s ${n}`, 15)}${encoded(n * 5, 1)}`, /^steps by 5/],
  [
    'a time in the middle',
    200,
    (n) => `${drawn(`t ${n}`, 4)}${encoded((mixed(n) % 900) + n * 1000, 4)}${drawn(`u ${n}`, 8)}`,
    /^(has 0 as symbol 5|rises)/,
  ],
  ['ten symbols of 12', 60, (n) => `${drawn(`p ${n % 12}`, 10)}${drawn(`q ${n}`, 6)}`, /./],
  ['no symbol above G', 60, (n) => drawn(`h ${n}`).replaceAll(/[H-Z]/g, '7'), /^has 7/],
  [
    'one that is nearly another',
    300,
    (n) => (n === 299 ? `${drawn('n 3', 14)}00` : drawn(`n ${n}`)),
    /^has two that agree in 1[456] of 16/,
  ],
])('%s is not random', (_name, count, make, why) => expect(notRandom(times(count, make))).toMatch(why))

test('a few texts, and other symbols, are not judged', () => {
  expect(notRandom(times(19, () => '0'.repeat(16)))).toBeUndefined()
  expect(notRandom(times(50, () => 'u'.repeat(16)))).toBeUndefined()
})

const accepts = (internal_reference: string, merchant_reference = 'WATCH-0001', sent = merchant_reference): Exchange =>
  collects(json(202, 'Collection accepted', { internal_reference, merchant_reference }), { merchant_reference: sent })

testRows(randomReferencesRule, {
  'a counter in internal references': [
    'the random part of internal_reference',
    ...times(30, (n) => accepts(`MLP0A1B2C${encoded(n, 16)}`, `WATCH-${1000 + n}`)),
  ],
  'a counter in generated references': [
    'the random part of merchant_reference of auto',
    ...times(30, (n) => accepts(`MLP0A1B2C${drawn(`i ${n}`)}`, `MREF${encoded(n, 16)}`, 'auto')),
  ],
})

const [one, other] = ['MLPZ1ZP8G0DY6MZXFRQH3EJ9D', 'MLPZ1ZP8G0DY6MZXFRQH3EJ9E'] as const
const verified = (internal_reference: string): Exchange =>
  retrieves({ id: 7, internal_reference, merchant_reference: 'WATCH-0001' })
testRows(uniqueIdsRule, {
  'a payment that is verified twice': ['', accepts(one), verified(one), verified(one), replied(accepts(one), REPLAYED)],
  'one id of two payments': ['the id 7 is that of the payment', verified(one), verified(other)],
  'one reference of two payments': ['the internal_reference MLPZ1', accepts(one), accepts(one, 'WATCH-0002')],
  'one generated reference twice': [
    'the merchant_reference MREF1',
    accepts(one, 'MREF1', 'auto'),
    accepts(other, 'MREF1', 'auto'),
  ],
})
