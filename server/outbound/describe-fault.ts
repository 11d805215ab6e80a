import { errors } from 'undici'
import { OutboundRefused } from './outbound-guard.ts'

/**
 * Describes why a request got no reply, for readers of the attempt log: no addresses, no names of our libraries.
 * @param timeoutMs of the whole request
 */
export function describeFault(error: unknown, timeoutMs: number): string {
  if (error instanceof OutboundRefused) return error.message
  if (!(error instanceof Error)) return 'the connection failed'
  if (
    error.name === 'TimeoutError' ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  )
    return `no reply within ${timeoutMs / 1000} s`
  if (error instanceof errors.ConnectTimeoutError) return 'the connection timed out'
  if (error instanceof errors.HeadersOverflowError) return 'the headers of the reply are too long'
  if (error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError)
    return 'the reply is not valid HTTP'
  if (error instanceof errors.SocketError) return 'the connection ended before a reply came'
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) return 'the connection failed'
  if (code === 'ENOTFOUND') return 'the name of the host was not found'
  if (code.startsWith('EAI_')) return 'the name of the host could not be looked up'
  if (CERTIFICATE_FAULT.test(code)) return `the TLS certificate is not valid (${code})`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'the TLS handshake failed'
  return /^E[A-Z0-9]+$/.test(code) ? `the connection failed (${code})` : 'the connection failed'
}

/** OpenSSL's names, as Node gives them: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE_FAULT = /CERT|^UNABLE_TO_|_CHAIN|^INVALID_CA$|^INVALID_PURPOSE$|^HOSTNAME_MISMATCH$/
