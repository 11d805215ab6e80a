import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { JSON_TYPE, collects, comes, findingsOfRule, json, received, verifies } from '../testing/exchanges.ts'
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
const texts = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index))
/** Numbers below 2^53 in a random order. */
const mixed = (index: number): number => createHash('sha256').update(`mixed ${index}`).digest().readUIntBE(0, 6)

describe('random texts', () => {
  test.each([20, 100, 500, 1_500])('pass, %i of them', (count) => {
    for (const run of ['a', 'b', 'c'])
      expect(notRandom(texts(count, (index) => drawn(`${run} ${index}`)))).toBeUndefined()
  })

  test.each<[string, number, (index: number) => string, RegExp]>([
    ['a counter', 25, (index) => encoded(index + 7, 16), /^has 0 as symbol 1 in 25 of 25/],
    ['a constant symbol', 25, (index) => `${drawn(`c ${index}`, 15)}Z`, /^has Z as symbol 16/],
    [
      'a step of five in one symbol',
      25,
      (index) => `${drawn(`s ${index}`, 15)}${encoded(index * 5, 1)}`,
      /^steps by 5/,
    ],
    [
      'a time in the middle',
      200,
      (index) => `${drawn(`t ${index}`, 4)}${encoded((mixed(index) % 900) + index * 1000, 4)}${drawn(`u ${index}`, 8)}`,
      /^(has 0 as symbol 5|rises)/,
    ],
    ['ten symbols of 12', 60, (index) => `${drawn(`p ${index % 12}`, 10)}${drawn(`q ${index}`, 6)}`, /./],
    ['no symbol above G', 60, (index) => drawn(`h ${index}`).replaceAll(/[H-Z]/g, '7'), /^has 7/],
    [
      'one that is nearly another',
      300,
      (index) => (index === 299 ? `${drawn('n 3', 14)}00` : drawn(`n ${index}`)),
      /^has two that agree in 1[456] of 16/,
    ],
  ])('%s is found', (_name, count, make, why) => expect(notRandom(texts(count, make))).toMatch(why))

  test('a few texts, and other symbols, are not judged', () => {
    expect(notRandom(texts(19, () => '0'.repeat(16)))).toBeUndefined()
    expect(notRandom(texts(50, () => 'u'.repeat(16)))).toBeUndefined()
  })
})

const accepts = (internal_reference: string, merchant_reference = 'WATCH-0001', asked = merchant_reference) =>
  collects(json(202, 'Collection accepted', { internal_reference, merchant_reference }), { merchant_reference: asked })

test.each([
  ['internal_reference', (index: number) => accepts(`MLP0A1B2C${encoded(index, 16)}`, `WATCH-${1000 + index}`)],
  [
    'merchant_reference of auto',
    (index: number) => accepts(`MLP0A1B2C${drawn(`i ${index}`)}`, `MREF${encoded(index, 16)}`, 'auto'),
  ],
])('a counter in %s is found', (what, make) =>
  expect(
    findingsOfRule(
      randomReferencesRule,
      Array.from({ length: 30 }, (_, index) => make(index)),
    ),
  ).toEqual([expect.stringContaining(`the random part of ${what}`)]),
)

describe('unique ids:', () => {
  const [one, other] = ['MLPZ1ZP8G0DY6MZXFRQH3EJ9D', 'MLPZ1ZP8G0DY6MZXFRQH3EJ9E'] as const
  const verified = (internal_reference: string, id: number) =>
    verifies(
      json(200, 'Transaction retrieved successfully', { id, internal_reference, merchant_reference: 'WATCH-0001' }),
    )
  const callback = (id: string, event: string, internal_reference: string) =>
    received(
      comes(
        'POST',
        '/callbacks',
        { ...JSON_TYPE, 'webhook-id': id },
        { event, payload: { internal_reference, id: 1 } },
      ),
    )
  const replayed = accepts(one, 'WATCH-0001')
  const replay = {
    ...replayed,
    reply: { ...replayed.reply, headers: { ...replayed.reply.headers, 'idempotency-replayed': ['true'] } },
  }

  test.each([
    ['a payment that is verified twice', [accepts(one), verified(one, 7), verified(one, 7), replay], undefined],
    [
      'a callback that is sent again',
      [callback('cb_1', 'transaction.failed', one), callback('cb_1', 'transaction.failed', one)],
      undefined,
    ],
    ['one id of two payments', [verified(one, 7), verified(other, 7)], 'the id 7 is that of the payment'],
    [
      'one internal reference of two payments',
      [accepts(one), accepts(one, 'WATCH-0002')],
      'the internal_reference MLPZ1',
    ],
    [
      'one generated reference twice',
      [accepts(one, 'MREF1', 'auto'), accepts(other, 'MREF1', 'auto')],
      'the merchant_reference MREF1',
    ],
    [
      'one webhook-id of two events',
      [callback('cb_1', 'transaction.failed', one), callback('cb_1', 'transaction.completed', one)],
      'the webhook-id cb_1',
    ],
    [
      'one webhook-id of two handshakes',
      ['A', 'B'].map((letter) =>
        received(comes('GET', `/handshake?reference=WATCH-000${letter}`, { 'webhook-id': 'cb_2' })),
      ),
      'the webhook-id cb_2',
    ],
  ])('%s', (_name, exchanges, found) =>
    expect(findingsOfRule(uniqueIdsRule, exchanges)).toEqual(
      found === undefined ? [] : [expect.stringContaining(found)],
    ),
  )
})
