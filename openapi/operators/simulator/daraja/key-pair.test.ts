import { constants, publicEncrypt, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptCredential, SIMULATOR_CERTIFICATE } from './key-pair.ts'

const encrypt = (text: string, padding: number): string =>
  publicEncrypt({ key: SIMULATOR_CERTIFICATE, padding }, Buffer.from(text)).toString('base64')

test('decrypts what was encrypted with the certificate', () => {
  expect(decryptCredential(encrypt('a password', constants.RSA_PKCS1_PADDING))).toBe('a password')
})

test.each([
  ['with another padding', encrypt('a password', constants.RSA_PKCS1_OAEP_PADDING)],
  ['not at all', Buffer.from('a password').toString('base64')],
])('what was encrypted %s is not the password', (_how, credential) => {
  expect(decryptCredential(credential)).not.toBe('a password')
})

test('the certificate says that it is not Safaricom’s', () => {
  expect(new X509Certificate(SIMULATOR_CERTIFICATE).subject).toContain('Not Safaricom')
})
