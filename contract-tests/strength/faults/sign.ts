import { constants, createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { WireHeaders, WireRequest } from '../../harness/proxy.ts'
import { isFields, type Fields } from '../../harness/json.ts'
import { fieldsOf, header, withHeader } from './edit.ts'
import type { Plant, FaultContext } from './fault.ts'

// A server that sends something wrong signs it as well: otherwise every fault would be found by its signature alone.

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString()
/** For the stand-in of the gateway's key, whose private half is not available. */
const KEY_ID = createHash('sha256')
  .update(publicKey.export({ type: 'spki', format: 'der' }))
  .digest('hex')
  .slice(0, 16)

/** The stand-in: its public half, and signatures of its private half. */
export const STAND_IN = {
  pem: PEM,
  keyId: KEY_ID,
  publicKey,
  sign: (text: string, algorithm = 'sha256', padding = constants.RSA_PKCS1_PADDING): string =>
    sign(algorithm, Buffer.from(text), { key: privateKey, padding }).toString('base64'),
} as const

/** Serves the public key beside the gateway's own, with its headers: otherwise the stand-in would be found by them. */
export const servesKey: NonNullable<Plant['api']> = {
  onRequest: (request) =>
    request.path === `/.well-known/malipo-rsa/${KEY_ID}.pem`
      ? { answer: { status: 200, headers: keyHeaders(), body: Buffer.from(PEM) } }
      : request,
}

const keyHeaders = (): WireHeaders => ({
  'content-type': ['application/x-pem-file'],
  'content-length': [String(PEM.length)],
  'cache-control': ['public, max-age=3600'],
  'rsa-key-id': [KEY_ID],
  'x-request-id': [randomBytes(12).toString('base64url')],
  date: [new Date().toUTCString()],
})

export const eventOf = (status: unknown): string =>
  status === 'COMPLETED' ? 'transaction.completed' : 'transaction.failed'

/** For `withFields`: another state in a callback, and the event that goes with it. */
export const withOutcome =
  (change: (state: Fields) => Fields) =>
  (body: Fields): Fields => {
    const state = isFields(body['payload']) ? change(body['payload']) : {}
    return { ...body, event: eventOf(state['transaction_status']), payload: state }
  }

/** The two signatures of a final state. */
interface StateSignatures {
  readonly hmac: string
  readonly rsa: string
  readonly rsaKeyId: string
}

/** The two signatures that a final state has in callbacks and redirects. */
function signState(event: unknown, state: Fields, signingKey: string, atMs: number): StateSignatures {
  const { merchant_reference, internal_reference, transaction_type, transaction_status } = state
  const text = [event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')
  return {
    hmac: `t=${atMs},s=${createHmac('sha256', signingKey).update(text).digest('hex')}`,
    rsa: STAND_IN.sign(text),
    rsaKeyId: KEY_ID,
  }
}

type SigningKeys = Pick<FaultContext, 'signingKey' | 'webhookSecret'>

/** The keys of the merchant that a message is for. */
const keysFor = <Keys extends Partial<SigningKeys>>(
  { path }: WireRequest,
  keys: Keys & Pick<FaultContext, 'other'>,
): Keys | SigningKeys => (path.startsWith('/other/') ? keys.other?.() : undefined) ?? keys

/** Signs the current message as Standard Webhooks require. */
export function signMessage(message: WireRequest, keys: Pick<FaultContext, 'webhookSecret' | 'other'>): WireRequest {
  const { webhookSecret } = keysFor(message, keys)
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
  const text = `${header(message, 'webhook-id')}.${header(message, 'webhook-timestamp')}.${message.body.toString()}`
  return withHeader(message, 'webhook-signature', `v1,${createHmac('sha256', key).update(text).digest('base64')}`)
}

/** All signatures of a callback whose body was changed. */
export function signCallback(message: WireRequest, world: FaultContext): WireRequest {
  const body = fieldsOf(message)
  const state = body?.['payload']
  const at = /^t=(\d+)/.exec(header(message, 'hmac-signature') ?? '')?.[1]
  if (!body || !isFields(state) || at === undefined) return signMessage(message, world)
  const { hmac, rsa, rsaKeyId } = signState(body['event'], state, keysFor(message, world).signingKey, Number(at))
  return signMessage(
    withHeader(withHeader(withHeader(message, 'hmac-signature', hmac), 'rsa-signature', rsa), 'rsa-key-id', rsaKeyId),
    world,
  )
}

/** Not a fault: callbacks as they are, with signatures of the stand-in. */
export const signedAnew = (world: FaultContext): Plant => ({
  api: servesKey,
  merchant: { onRequest: (message) => (message.method === 'POST' ? signCallback(message, world) : message) },
})
