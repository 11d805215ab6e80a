import { generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { rsaSignature } from './rsa-threads.ts'

const keyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const fits = (publicPem: string, text: string, signature: string): boolean =>
  verify('sha256', Buffer.from(text), publicPem, Buffer.from(signature, 'base64'))

test('concurrent texts get their own signatures by their own keys', async () => {
  const keys = [keyPair(), keyPair()]
  const texts = Array.from({ length: 300 }, (_, n) => `transaction.completed:REFERENCE-${n}`)
  const keyOf = (n: number) => keys[n % 7 === 0 ? 1 : 0]!
  const signatures = await Promise.all(texts.map((text, n) => rsaSignature(keyOf(n).privateKey, text)))
  expect(texts.filter((text, n) => !fits(keyOf(n).publicKey, text, signatures[n]!))).toEqual([])
  expect(fits(keys[0]!.publicKey, texts[0]!, signatures[0]!)).toBe(false)
})

test('an unreadable key fails its own texts and no others', async () => {
  const { privateKey, publicKey } = keyPair()
  const wrong = rsaSignature('-----BEGIN PRIVATE KEY-----\nnothing\n-----END PRIVATE KEY-----', 'a')
  const right = rsaSignature(privateKey, 'b')
  await expect(wrong).rejects.toThrow('the RSA key cannot sign')
  expect(fits(publicKey, 'b', await right)).toBe(true)
})
