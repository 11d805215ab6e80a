import { generateKeyPairSync } from 'node:crypto'
import type { DueCallback } from '../../actions/ports/callbacks.ts'
import { createSender, type SenderOptions } from '../sender.ts'

const rsaPrivatePem = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey

/** The real sender, with keys of its own. */
export const sampleSender = (options: Pick<SenderOptions, 'policy'> & Partial<SenderOptions>) =>
  createSender({
    reference: {
      callbackSecrets: async () => ({
        signingKeys: ['SGNKYUEMYFDEHRWGPEUG'],
        webhookSecrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
      rsaSigningKey: () => ({ id: '0123456789abcdef', privatePem: rsaPrivatePem }),
    },
    clock: { now: () => new Date() },
    ...options,
  })

export const callbackTo = (url: string): DueCallback => ({
  id: 1n,
  webhookId: 'msg_1',
  transactionId: 1n,
  merchantId: 1n,
  event: 'transaction.completed',
  url,
  attempts: 0,
  attemptsBefore: 0,
  resends: 0,
  status: 'PENDING',
  createdAt: new Date(),
  hadUrl: true,
  body: '{"event":"transaction.completed","payload":{}}',
  signed: { merchantReference: 'ORDER-1', internalReference: 'MLP1', type: 'COLLECTION', status: 'COMPLETED' },
  account: '256772000123',
})
