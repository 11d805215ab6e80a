import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// For tests: an authenticator with one passkey, in software. https://www.w3.org/TR/webauthn-3/#sctn-attestation

interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id?: string }
}

/** What differs from an honest authenticator in an honest browser. */
interface Deviation {
  readonly origin?: string
  /** Whether the device was unlocked by a PIN or biometrics. */
  readonly isVerified?: boolean
  readonly challenge?: string
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url')
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')
const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** A new passkey for a site. */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  const clientData = (type: string, challenge: string, deviation: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin: deviation.origin ?? origin }),
    )
  const data = (rpId: string, { isVerified = true }: Deviation, attested?: Buffer): Buffer => {
    const [flags, count] = [Buffer.of(1 | (isVerified ? 4 : 0) | (attested ? 0x40 : 0)), Buffer.alloc(4)]
    count.writeUInt32BE((counter += 1))
    return Buffer.concat([sha256(rpId), flags, count, ...(attested ? [attested] : [])])
  }
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }
  return {
    register({ challenge, rp }: Options, deviation: Deviation = {}) {
      // A COSE key (ES256) and an attestation object (none), in CBOR.
      const key = Buffer.concat([hex('a5010203262001215820'), bytesOf(x), hex('225820'), bytesOf(y)])
      const authData = data(rp?.id ?? '', deviation, Buffer.concat([Buffer.alloc(16), hex('0010'), id, key]))
      const head = Buffer.concat([hex('a363'), Buffer.from('fmt'), hex('64'), Buffer.from('none'), hex('67')])
      const attestationObject = Buffer.concat([
        head,
        Buffer.from('attStmt'),
        hex('a068'),
        Buffer.from('authData'),
        Buffer.of(0x58, authData.length),
        authData,
      ])
      const clientDataJSON = base64url(clientData('webauthn.create', challenge, deviation))
      return {
        ...credential,
        response: { clientDataJSON, attestationObject: base64url(attestationObject), transports: ['internal'] },
      }
    },
    authenticate({ challenge, rpId = '' }: Options, deviation: Deviation = {}) {
      const [authenticatorData, client] = [data(rpId, deviation), clientData('webauthn.get', challenge, deviation)]
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey)
      return {
        ...credential,
        response: {
          authenticatorData: base64url(authenticatorData),
          clientDataJSON: base64url(client),
          signature: base64url(signature),
        },
      }
    },
  }
}
