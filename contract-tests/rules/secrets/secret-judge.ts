import type { WireHeaders } from '../../harness/proxy.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from '../observed-exchange.ts'
import { spellings, type Secret } from './known-secrets.ts'

const bytesOf = (headers: WireHeaders): string =>
  Object.entries(headers)
    .map(([name, values = []]) => `${name}: ${values.join(', ')}`)
    .join('\n')

/**
 * Searches everything that comes from the server. A value that a client has put into a path or body itself may come
 * back; a document that is public may show what the contract's own text shows (the keys of the demo merchant).
 * @param contractText as it is served
 * @param declaredMayTell whether a declared field of a success may be the secret: the answer of a token endpoint
 */
export function secretJudge(secrets: readonly Secret[], contractText: string, { declaredMayTell = false } = {}): Judge {
  const wanted = secrets.map((secret) => ({
    ...secret,
    spelled: spellings(secret),
    isPublished: contractText.includes(secret.value),
  }))
  return (seen) => {
    const { request, reply } = seen.exchange
    const isSent = seen.direction === 'received'
    const headers = isSent ? `${request.path}\n${bytesOf(request.headers)}` : bytesOf(reply.headers)
    const { body } = isSent ? request : reply
    const isForAll = seen.operation === undefined && !OF_A_PAYMENT.test(request.path)
    const isDocument = !isSent && reply.status === 200 && isForAll && seen.replyBody === undefined
    return wanted.flatMap((secret): readonly Fault[] => {
      if (secret.isPublished && (isDocument || isContract(seen))) return []
      const place = placeOf(secret.spelled, headers, body)
      const isToken = declaredMayTell && reply.status < 300 && place === 'body' && seen.response !== undefined
      if (place === undefined || isToken || (!isSent && isOwnWord(secret, seen))) return []
      const where = isSent ? `a message to the merchant` : `a reply ${reply.status}`
      return faultIf(true, `secret ${secret.name}`, `${where} contains ${secret.name} (in its ${place})`)
    })
  }
}

/** A page that names a payment is for its customer; it is no public document. */
const OF_A_PAYMENT = /MLP[0-9A-Z]{22}/

const isContract = ({ replyBody: reported }: ObservedExchange): boolean =>
  typeof reported === 'object' && reported !== null && 'openapi' in reported

const placeOf = (spelled: readonly string[], headers: string, body: Buffer): 'headers' | 'body' | undefined => {
  if (spelled.some((text) => headers.includes(text))) return 'headers'
  return spelled.some((text) => body.includes(text, 0, 'latin1')) ? 'body' : undefined
}

/** A client that writes a key into a path or a body may read it in the answer. */
const isOwnWord = ({ value }: Secret, { exchange: { request } }: ObservedExchange): boolean =>
  request.path.includes(value) || request.body.includes(value)
