import { constants } from 'node:crypto'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { fieldsOf, header, refusal, withBody, withHeader } from './edit.ts'
import type { FaultRows } from './fault.ts'
import { callbacks, stateIn, inAnyReplies } from './rows.ts'
import { signCallback, STAND_IN } from './sign.ts'

// The current signing key and the key of an id are two addresses of one thing.

const isNow = ({ path }: WireRequest): boolean => path.split('?')[0] === '/.well-known/malipo-rsa.pem'
const isById = ({ path }: WireRequest): boolean => /^\/\.well-known\/malipo-rsa\/[^/?]+\.pem$/.test(path)
const isKey = (request: WireRequest): boolean => isNow(request) || isById(request)
/** What these addresses serve. */
const served =
  (isMeant: (request: WireRequest) => boolean, status: number) => (reply: WireReply, request: WireRequest) =>
    isMeant(request) && reply.status === status

const standIn = (reply: WireReply): WireReply => withBody(reply, STAND_IN.pem)

export const rsaRows: FaultRows = {
  'current-key-is-another': inAnyReplies('serves another key as the one that signs now', served(isNow, 200), standIn),
  'key-by-id-is-another': inAnyReplies('serves another key by the id', served(isById, 200), standIn),
  'unknown-id-gets-410': inAnyReplies('reports an unknown key id as withdrawn', served(isById, 404), (reply) =>
    refusal(reply, 410, 'The key was withdrawn'),
  ),
  'key-in-pkcs1': inAnyReplies('serves the keys in another form of PEM', served(isKey, 200), (reply) =>
    withBody(reply, STAND_IN.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
  ),
  'key-wants-public-key': inAnyReplies(
    'serves the keys to who has a public-key only',
    (_reply, request) => isKey(request) && header(request, 'public-key') === undefined,
    (reply) => refusal(reply, 401, 'public-key is required'),
  ),
  'signs-with-key-of-no-current': callbacks.sent(
    'signs callbacks with a key that is not the one that signs now',
    (message, world) => signCallback(message, world),
  ),
  'signs-with-pss': callbacks.sent('signs with PSS instead of PKCS#1 v1.5', (message) => {
    const { merchant_reference, internal_reference, transaction_type, transaction_status } = stateIn(message)
    const event = fieldsOf(message)?.['event']
    const text = [event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')
    const signature = STAND_IN.sign(text, 'sha256', constants.RSA_PKCS1_PSS_PADDING)
    return withHeader(withHeader(message, 'rsa-signature', signature), 'rsa-key-id', STAND_IN.keyId)
  }),
}
