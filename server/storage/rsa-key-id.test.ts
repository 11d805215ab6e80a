import { createHash, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { RSA_KEY_ID, rsaKeyId } from './rsa-key-id.ts'

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pemOf = (type: 'spki' | 'pkcs1'): string => publicKey.export({ type, format: 'pem' }).toString()

test('the public key gives its id: the beginning of the SHA-256 of its DER', () => {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const id = rsaKeyId(pemOf('spki'))
  expect(id).toBe(createHash('sha256').update(der).digest('hex').slice(0, 16))
  expect(id).toMatch(RSA_KEY_ID)
})

test('the id is of the key, not of its PEM text', () => {
  const pem = pemOf('spki')
  const pkcs1 = pemOf('pkcs1')
  expect(rsaKeyId(pkcs1)).toBe(rsaKeyId(pem))
  expect(rsaKeyId(pem.replaceAll('\n', '\r\n'))).toBe(rsaKeyId(pem))
})
