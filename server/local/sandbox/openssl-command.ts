import { RSA_KEY_ID } from '../../domain/received/checks.ts'
import type { Summary } from '../../domain/received/message.ts'

// Only characters that Malipo itself sends: these texts become part of commands that people paste into a shell.
const PLAIN_TEXT = /^[A-Za-z0-9._~:-]+$/
const PLAIN_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Downloads the public key and verifies the signature with openssl; undefined when the message holds a character that
 * Malipo never sends.
 */
export function opensslCommand(
  { signedText }: Summary,
  { 'rsa-signature': signature, 'rsa-key-id': keyId }: Readonly<Record<string, string | undefined>>,
  baseUrl: string,
): string | undefined {
  if (
    signedText === undefined ||
    signature === undefined ||
    keyId === undefined ||
    !PLAIN_TEXT.test(signedText) ||
    !PLAIN_BASE64.test(signature) ||
    !RSA_KEY_ID.test(keyId)
  )
    return undefined
  return `curl -sf ${baseUrl}/.well-known/malipo-rsa/${keyId}.pem -o malipo-rsa.pem
printf %s '${signature}' | openssl base64 -d -A -out signature.bin
printf %s '${signedText}' | openssl dgst -sha256 -verify malipo-rsa.pem -signature signature.bin`
}
