import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  checkToken,
  NEW_KEY_WAITS_MS,
  newTokenKey,
  orderToken,
  RETIRED_KEY_GRACE_MS,
  RETIRED_KEYS_KEPT_MS,
  tokensIn,
  withNewKey,
  type CallbackKeys,
} from './callback-tokens.ts'

const random = { bytes: (size: number) => randomBytes(size) }
const NOW = new Date('2026-03-02T08:00:00Z')
const after = (ms: number): Date => new Date(NOW.getTime() + ms)
const place = { railAccount: 'mtn-uganda', orderId: '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11' }
const key = newTokenKey(random)
const keys: CallbackKeys = { keys: [key] }
const token = orderToken(keys, place, NOW)!

test('makes tokens of 128 bits with the id of their key, in hexadecimal', () => {
  expect(token).toMatch(/^[0-9a-f]{40}$/)
  expect(token.startsWith(key.id)).toBe(true)
  expect(token).not.toContain(key.secret.slice(0, 16))
})

test('makes the same token every time, and none without a key', () => {
  expect(orderToken(keys, place, NOW)).toBe(token)
  expect(orderToken({ keys: [] }, place, NOW)).toBeUndefined()
})

describe('a token', () => {
  test('is valid for its order without a bound', () =>
    expect(checkToken(keys, token, place, NOW)).toEqual({ isValid: true }))

  test.each([
    ['another order', { ...place, orderId: place.orderId.replace('3', '4') }],
    ['another account', { ...place, railAccount: 'mtn-ghana' }],
    // Name and order id are separated unambiguously, whatever their lengths.
    ['a name that borrows from the order', { railAccount: 'mtn-uganda/3', orderId: place.orderId.slice(1) }],
  ])('is refused for %s', (_what, other) => expect(checkToken(keys, token, other, NOW).isValid).toBe(false))

  test.each([
    ['empty', ''],
    ['cut', token.slice(0, -1)],
    ['longer', `${token}0`],
    ['in capitals', token.toUpperCase()],
    ['with the id of its key alone', key.id],
    ['with another id', `00000000${token.slice(8)}`],
    ['with another end', token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
  ])('is refused when it is %s', (_what, wrong) => expect(checkToken(keys, wrong, place, NOW).isValid).toBe(false))

  test('of an account without keys is refused, whatever it is', () => {
    for (const any of ['', token, orderToken({ keys: [{ id: '00000000', secret: '' }] }, place, NOW)!])
      expect(checkToken({ keys: [] }, any, place, NOW).isValid).toBe(false)
  })
})

describe('after a rotation', () => {
  const rotated = withNewKey(keys, newTokenKey(random), NOW)

  const used = after(NEW_KEY_WAITS_MS)
  const usedAfter = (ms: number): Date => new Date(used.getTime() + ms)

  test('the new key makes the tokens once every process has it', () => {
    expect(orderToken(rotated, place, new Date(used.getTime() - 1))).toBe(token)
    const made = orderToken(rotated, place, used)!
    expect(made).not.toBe(token)
    for (const at of [NOW, used]) expect(checkToken(rotated, made, place, at)).toEqual({ isValid: true })
  })

  test('a former token stays valid for earlier orders, for 90 days', () => {
    const orderedUntil = usedAfter(RETIRED_KEY_GRACE_MS)
    expect(checkToken(rotated, token, place, NOW)).toEqual({ isValid: true, orderedUntil })
    expect(checkToken(rotated, token, place, usedAfter(RETIRED_KEYS_KEPT_MS - 1))).toEqual({
      isValid: true,
      orderedUntil,
    })
    expect(checkToken(rotated, token, place, usedAfter(RETIRED_KEYS_KEPT_MS)).isValid).toBe(false)
  })

  test('another rotation keeps the time of the first retirement and drops expired keys', () => {
    const again = withNewKey(rotated, newTokenKey(random), after(1))
    expect(again.keys.map(({ retiredAt }) => retiredAt)).toEqual([undefined, usedAfter(1), used])
    expect(orderToken(again, place, used)).toBe(orderToken(rotated, place, used))
    expect(withNewKey(again, newTokenKey(random), usedAfter(RETIRED_KEYS_KEPT_MS)).keys).toHaveLength(3)
  })

  test('accepts two keys with one id', () => {
    const twin = { id: key.id, secret: newTokenKey(random).secret }
    const both = withNewKey(keys, twin, NOW)
    expect(checkToken(both, token, place, NOW).isValid).toBe(true)
    expect(checkToken(both, orderToken(both, place, used)!, place, NOW)).toEqual({ isValid: true })
  })
})

test('finds the tokens of an order in a text, and nothing else', () => {
  const text = `at /${token}/, ${'f'.repeat(40)}; ${token}0`
  expect(tokensIn(text, keys, place, NOW)).toEqual([token])
})
