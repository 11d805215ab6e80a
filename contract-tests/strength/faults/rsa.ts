import { constants } from 'node:crypto'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { fieldsOf, header, refusal, withBody, withHeader } from './edit.ts'
import { faultsOf, type Plant, type FaultContext } from './fault.ts'
import { callbacks, stateIn } from './rows.ts'
import { signCallback, STAND_IN } from './sign.ts'

// The current signing key and the key of an id are two addresses of one thing.

const NOW = '/.well-known/malipo-rsa.pem'
const byId = (path: string): string | undefined => /^\/\.well-known\/malipo-rsa\/([^/?]+)\.pem$/.exec(path)?.[1]

/** Changes what these addresses serve. */
const servedAs = (
  does: string,
  isMeant: (request: WireRequest) => boolean,
  change: (reply: WireReply, request: WireRequest, world: FaultContext) => WireReply | Promise<WireReply>,
) => ({
  does,
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
const signed = (does: string, change: (text: string) => string) =>
  callbacks.sent(does, (message) => {
    const { merchant_reference, internal_reference, transaction_type, transaction_status } = stateIn(message)
    const event = fieldsOf(message)?.['event']
    const text = [event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')
    return withHeader(withHeader(message, 'rsa-signature', change(text)), 'rsa-key-id', STAND_IN.keyId)
  })
const standIn = (reply: WireReply): WireReply => withBody(reply, STAND_IN.pem)

export const rsaFaults = faultsOf('rsa', {
  'current-key-is-another': servedAs('serves another key as the one that signs now', isNow, found(standIn)),
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
  'key-in-pkcs1': servedAs(
    'serves the keys in another form of PEM',
    isKey,
    found((reply) => withBody(reply, STAND_IN.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString())),
  ),
  'key-cached-for-ever': servedAs(
    'lets caches keep the key of an id for ever',
    isById,
    found((reply) => withHeader(reply, 'cache-control', 'public, max-age=31536000, immutable')),
  ),
  'key-wants-public-key': servedAs('serves the keys to who has a public-key only', isKey, (reply, request) =>
    header(request, 'public-key') === undefined ? refusal(reply, 401, 'public-key is required') : reply,
  ),
  'signs-with-key-of-no-current': callbacks.sent(
    'signs callbacks with a key that is not the one that signs now',
    (message, world) => signCallback(message, world),
  ),
  'signs-with-pss': signed('signs with PSS instead of PKCS#1 v1.5', (text) =>
    STAND_IN.sign(text, 'sha256', constants.RSA_PKCS1_PSS_PADDING),
  ),
})
