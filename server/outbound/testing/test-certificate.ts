import { generateKeyPairSync, sign } from 'node:crypto'

/**
 * Creates a self-signed certificate for a DNS name, so that no private key lies in the repository. Validity defaults
 * to a day around now, and the key to an elliptic curve key.
 */
export function selfSigned(
  dnsName: string,
  { notBefore = new Date(Date.now() - DAY_MS), notAfter = new Date(Date.now() + DAY_MS), rsa = false } = {},
): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = rsa
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signature = rsa ? RSA_SHA256 : ECDSA_SHA256
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(dnsName)))))
  const alternativeNames = sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(dnsName)))))
  const certified = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    signature,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames)),
  )
  const certificate = sequence(certified, signature, der(0x03, Buffer.from([0]), sign('sha256', certified, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

const DAY_MS = 24 * 3600 * 1000

// DER, as far as RFC 5280 needs it for the above.
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content])
}
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  return [0x82, length >> 8, length & 0xff]
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, '')))
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const COMMON_NAME = oid('550403')
const SUBJECT_ALT_NAME = oid('551d11')
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const RSA_SHA256 = sequence(oid('2a864886f70d01010b'), der(0x05))
