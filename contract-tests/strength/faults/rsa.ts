import { constants, createHash } from 'node:crypto'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { fieldsOf, header, refusal, withBody, withHeader } from './edit.ts'
import { ruleFaultsOf, type Plant, type FaultContext } from './fault.ts'
import { callbacks, OK, stateIn } from './rows.ts'
import { servesKey, signCallback, STAND_IN } from './sign.ts'

// The current signing key and the key of an id are two addresses of one thing.

const NOW = '/.well-known/malipo-rsa.pem'
const byId = (path: string): string | undefined => /^\/\.well-known\/malipo-rsa\/([^/?]+)\.pem$/.exec(path)?.[1]

/** Changes what these addresses serve. */
const servedAs = (
  what: string,
  isMeant: (request: WireRequest) => boolean,
  change: (reply: WireReply, request: WireRequest, world: FaultContext) => WireReply | Promise<WireReply>,
) => ({
  what,
  plant: (world: FaultContext): Plant => ({
    api: { onReply: (reply, request) => (isMeant(request) ? change(reply, request, world) : reply) },
  }),
})
const isNow = ({ path }: WireRequest): boolean => path.split('?')[0] === NOW
const isById = ({ path }: WireRequest): boolean => byId(path) !== undefined
const isKey = (request: WireRequest): boolean => isNow(request) || isById(request)
const found =
  (change: (reply: WireReply, world: FaultContext) => WireReply) =>
  (reply: WireReply, _: WireRequest, world: FaultContext) => (reply.status === 200 ? change(reply, world) : reply)

/** Callbacks with an RSA signature of another form, and the key to verify it. */
const signed = (what: string, change: (text: string) => string) =>
  callbacks.sent(what, (message) => {
    const { merchant_reference, internal_reference, transaction_type, transaction_status } = stateIn(message)
    const event = fieldsOf(message)?.['event']
    const text = [event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')
    return withHeader(withHeader(message, 'rsa-signature', change(text)), 'rsa-key-id', STAND_IN.keyId)
  })
/** The stand-in key under an id of another form, in callbacks and at its address. */
const named = (what: string, id: string) => ({
  what,
  plant: (world: FaultContext): Plant => ({
    api: {
      onRequest: (request) =>
        byId(request.path) === id
          ? { answer: withHeader(withBody(OK, STAND_IN.pem), 'content-type', 'application/x-pem-file') }
          : (servesKey.onRequest?.(request) ?? request),
      onReply: (reply, request) =>
        isNow(request) ? withHeader(withBody(reply, STAND_IN.pem), 'rsa-key-id', id) : reply,
    },
    merchant: {
      onRequest: (message) =>
        message.method === 'POST' ? withHeader(signCallback(message, world), 'rsa-key-id', id) : message,
    },
  }),
})
const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
const DER = STAND_IN.publicKey.export({ type: 'spki', format: 'der' })
const standIn = (reply: WireReply): WireReply => withBody(reply, STAND_IN.pem)

export const rsaFaults = ruleFaultsOf('rsa', {
  'current-key-is-another': servedAs('serves another key as the one that signs now', isNow, found(standIn)),
  'current-key-named-otherwise': servedAs(
    'names another id with the key that signs now',
    isNow,
    found((reply) => withHeader(reply, 'rsa-key-id', STAND_IN.keyId)),
  ),
  'current-key-without-id': servedAs(
    'does not name the id of the key that signs now',
    isNow,
    found((reply) => withHeader(reply, 'rsa-key-id', undefined)),
  ),
  'key-by-id-is-another': servedAs('serves another key by the id', isById, found(standIn)),
  'key-by-id-in-capitals': servedAs('serves a key by an id in capitals as well', isById, (reply, request, { send }) =>
    reply.status === 404
      ? send({ ...request, path: request.path.replace(/[0-9A-F]{16}/, (id) => id.toLowerCase()) })
      : reply,
  ),
  'unknown-id-gets-current-key': servedAs(
    'serves the key that signs now for every id',
    isById,
    (reply, request, { send }) => (reply.status === 404 ? send({ ...request, path: NOW }) : reply),
  ),
  'unknown-id-gets-410': servedAs('reports an unknown key id as withdrawn', isById, (reply) =>
    reply.status === 404 ? refusal(reply, 410, 'The key was withdrawn') : reply,
  ),
  'unknown-id-gets-plain-text': servedAs('answers an unknown id without the envelope', isById, (reply) =>
    reply.status === 404 ? withHeader(withBody(reply, 'not found'), 'content-type', 'text/plain') : reply,
  ),
  'key-in-pkcs1': servedAs(
    'serves the keys in another form of PEM',
    isKey,
    found((reply) => withBody(reply, STAND_IN.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString())),
  ),
  'key-without-last-line': servedAs(
    'cuts the last line of the PEM',
    isById,
    found((reply) => withBody(reply, reply.body.toString().replace(/-----END PUBLIC KEY-----\s*$/, ''))),
  ),
  'key-cached-for-ever': servedAs(
    'lets caches keep the key of an id for ever',
    isById,
    found((reply) => withHeader(reply, 'cache-control', 'public, max-age=31536000, immutable')),
  ),
  'current-key-cached': servedAs(
    'lets caches keep the current key for a day',
    isNow,
    found((reply) => withHeader(reply, 'cache-control', 'public, max-age=86400')),
  ),
  'key-wants-public-key': servedAs('serves the keys to who has a public-key only', isKey, (reply, request) =>
    header(request, 'public-key') === undefined ? refusal(reply, 401, 'public-key is required') : reply,
  ),
  'key-called-html': servedAs(
    'calls the PEM of an id HTML',
    isById,
    found((reply) => withHeader(reply, 'content-type', 'text/html; charset=utf-8')),
  ),
  'signs-with-key-of-no-current': callbacks.sent(
    'signs callbacks with a key that is not the one that signs now',
    (message, world) => signCallback(message, world),
  ),
  'signs-with-pss': signed('signs with PSS instead of PKCS#1 v1.5', (text) =>
    STAND_IN.sign(text, 'sha256', constants.RSA_PKCS1_PSS_PADDING),
  ),
  'signs-with-sha-1': signed('signs with SHA-1', (text) => STAND_IN.sign(text, 'sha1')),
  'signs-with-sha-512': signed('signs with SHA-512', (text) => STAND_IN.sign(text, 'sha512')),
  'signs-text-with-line-end': signed('signs the text with a line end', (text) => STAND_IN.sign(`${text}\n`)),
  'signs-for-urls': signed('writes the RSA signature in the alphabet for URLs', (text) =>
    STAND_IN.sign(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  ),
  'key-id-of-pem': named('makes the id of a key from its PEM', digestOf(STAND_IN.pem).slice(0, 16)),
  'key-id-of-last-digits': named('uses the last digits as the id of a key', digestOf(DER).slice(-16)),
  'redirect-names-unknown-key': servedAs(
    'names an unknown key in the redirect',
    ({ path }) => path.startsWith('/pay/collection/'),
    (reply) => {
      const location = header(reply, 'location')
      return location === undefined
        ? reply
        : withHeader(reply, 'location', location.replace(/([?&]rsa_key_id=)[0-9a-f]{16}/, `$1${STAND_IN.keyId}`))
    },
  ),
})
