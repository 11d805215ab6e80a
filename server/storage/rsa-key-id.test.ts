import { createHash, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { RSA_KEY_ID, rsaKeyId } from './rsa-key-id.ts'

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

test('whoever holds the public key can compute its id: the beginning of the SHA-256 of its DER', () => {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const id = rsaKeyId(publicKey.export({ type: 'spki', format: 'pem' }))
  expect(id).toBe(createHash('sha256').update(der).digest('hex').slice(0, 16))
  expect(id).toMatch(RSA_KEY_ID)
})

test('the id is of the key, not of how its PEM is written', () => {
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'pem' })
  expect(rsaKeyId(pkcs1)).toBe(rsaKeyId(pem))
  expect(rsaKeyId(pem.replaceAll('\n', '\r\n'))).toBe(rsaKeyId(pem))
})
