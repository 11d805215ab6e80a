import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'

/** The application of the simulator's only merchant. None of it opens anything but a simulator. */
export const APPLICATION = {
  clientId: 'a1f7e000-0000-4000-8000-000000000001',
  clientSecret: 'simulator-client-secret',
  pin: '736251',
  callbackKey: 'simulator-callback-key',
} as const

interface EncryptionKey {
  readonly privateKey: KeyObject
  /** SPKI in base64, as Airtel hands it out. */
  readonly spki: string
}

/** Of 1024 bits, as the real one; of this process: a gateway asks for it. */
export function encryptionKey(): EncryptionKey {
  made ??= generateKeyPairSync('rsa', { modulusLength: 1024 })
  const { privateKey, publicKey } = made
  return { privateKey, spki: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }
}
let made: KeyPairKeyObjectResult | undefined
