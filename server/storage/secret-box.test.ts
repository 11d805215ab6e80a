import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { merchantSecret } from './sealed-places.ts'
import { createSecretBox } from './secret-box.ts'

const random = { bytes: (size: number) => randomBytes(size) }
const MASTER_KEY = 'a master key of at least 32 characters'
const box = createSecretBox(MASTER_KEY, random)
const place = merchantSecret('signing_key', 7n)

test('a sealed value opens again in its place, and the seal shows nothing of it', () => {
  const sealed = box.seal('SANDBOXDEMOSIGNKEY01', place)
  expect(box.open(sealed, place)).toBe('SANDBOXDEMOSIGNKEY01')
  expect(sealed.includes('SANDBOX')).toBe(false)
  expect(box.seal('SANDBOXDEMOSIGNKEY01', place).equals(sealed)).toBe(false)
})

test('detects one changed bit anywhere', () => {
  const sealed = box.seal('secret', place)
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Buffer.from(sealed)
    altered[index]! ^= 1
    expect(() => box.open(altered, place)).toThrow()
  }
})

test('detects a truncated seal', () => {
  const sealed = box.seal('secret', place)
  for (let length = 0; length < sealed.length; length += 1)
    expect(() => box.open(sealed.subarray(0, length), place)).toThrow()
})

test('a secret opens for its own purpose and owner only', () => {
  const sealed = box.seal('secret', place)
  for (const elsewhere of [merchantSecret('signing_key', 8n), merchantSecret('webhook_secret', 7n)]) {
    expect(() => box.open(sealed, elsewhere)).toThrow(
      /^the sealed (signing_key|webhook_secret) of merchant [78] was sealed for something else, or altered in the database$/,
    )
  }
})

test('another master key is named as such', () => {
  const other = createSecretBox('another master key of at least 32 chars', random)
  expect(() => other.open(box.seal('secret', place), place)).toThrow(
    'MALIPO_MASTER_KEY is not the key that this database was written with',
  )
  expect([box, other].map((each) => each.isCurrent(box.seal('secret', place)))).toEqual([true, false])
})
