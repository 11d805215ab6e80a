import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import { WebhookVerificationError } from '../index.ts'

// For tests: what verifying says to a message that it must not believe, and keys to sign with.

/** The error of a message that is not believed. */
export async function errorOf(verifying: Promise<unknown>): Promise<WebhookVerificationError> {
  const error = await verifying.then(
    () => expect.fail('it was believed'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(WebhookVerificationError)
  return error as WebhookVerificationError
}

/** Why a message is not believed. */
export const reasonOf = async (verifying: Promise<unknown>) => (await errorOf(verifying)).reason

/** A new pair of RSA keys, as PEM texts. */
export const rsaPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
