import {
  createHmac,
  generateKeyPairSync,
  timingSafeEqual,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import type { Call } from '../operator.ts'
import type { OperatorState } from '../world/world.ts'

/** The application of the simulator's only merchant. None of it opens anything but a simulator. */
export const APPLICATION = {
  clientId: 'a1f7e000-0000-4000-8000-000000000001',
  clientSecret: 'simulator-client-secret',
  pin: '736251',
  callbackKey: 'simulator-callback-key',
} as const

/** Documented: 180 seconds, as a text. */
const TOKEN_SECONDS = 180

/** Stateless: tokens contain their own expiry. One serves all products. */
export function createTokens({ clock, chance }: Pick<OperatorState, 'clock' | 'chance'>) {
  const sealed = (text: string): string =>
    `${text}${createHmac('sha256', APPLICATION.clientSecret).update(text).digest('hex').slice(0, 16)}`
  return {
    isBearer({ authorization = '' }: Call['headers']): boolean {
      const token = /^Bearer ([0-9a-f]{36})$/i.exec(authorization)?.[1] ?? ''
      const expected = sealed(token.slice(0, 20))
      return (
        token.length === expected.length &&
        timingSafeEqual(Buffer.from(token), Buffer.from(expected)) &&
        parseInt(token.slice(0, 12), 16) > clock.now().getTime()
      )
    },
    issue() {
      const endsMs = clock.now().getTime() + TOKEN_SECONDS * 1_000
      const token = sealed(`${endsMs.toString(16).padStart(12, '0')}${chance.hex(4)}`)
      return { access_token: token, expires_in: String(TOKEN_SECONDS), token_type: 'bearer' }
    },
  }
}

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
