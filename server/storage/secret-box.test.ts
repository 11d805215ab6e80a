import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const random = { bytes: (size: number) => randomBytes(size) }
const box = createSecretBox('a master key of at least 32 characters', random)

test('what is sealed opens again, and the seal shows nothing of it', () => {
  const sealed = box.seal('SANDBOXDEMOSIGNKEY01')
  expect(box.open(sealed)).toBe('SANDBOXDEMOSIGNKEY01')
  expect(sealed.includes('SANDBOX')).toBe(false)
  expect(box.seal('SANDBOXDEMOSIGNKEY01').equals(sealed)).toBe(false)
})

test('one changed bit is noticed, wherever it is', () => {
  const sealed = box.seal('secret')
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Buffer.from(sealed)
    altered[index]! ^= 1
    expect(() => box.open(altered)).toThrow()
  }
})

test('another master key is named as such', () => {
  const other = createSecretBox('another master key of at least 32 chars', random)
  expect(() => other.open(box.seal('secret'))).toThrow('MALIPO_MASTER_KEY is not the key that this database was written with')
})
