import { createHandshakeSender, type HandshakeOptions } from '../handshake.ts'

/** The real sender of handshakes, with a key of its own. */
export const sampleHandshakeSender = (options: Pick<HandshakeOptions, 'policy'> & Partial<HandshakeOptions>) =>
  createHandshakeSender({
    reference: {
      callbackSecrets: async () => ({ signingKeys: [], webhookSecrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
    },
    clock: { now: () => new Date() },
    ...options,
  })

export const handshakeWith = (url: string) => ({
  url,
  transactionId: 1n,
  webhookId: 'msg_1',
  merchantId: 1n,
  merchantReference: 'ORDER-1',
})
