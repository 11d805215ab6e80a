import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { ALL, fieldsOf, header, messageOf, POSTS, text, withHeader, withKeys } from './edit.ts'
import { faultsOf, type OperationId, type FaultContext } from './fault.ts'
import { inReplies, inRequests } from './rows.ts'

// Faults in where keys may be, and in the order of checks.

/** Accepts keys in another place. */
const keysFrom = (does: string, find: (request: WireRequest, name: string) => string | undefined) =>
  inReplies(does, ALL, 401, (reply, request, { send }) => {
    const publicKey = header(request, 'public-key') ?? find(request, 'public-key')
    const secretKey = header(request, 'secret-key') ?? find(request, 'secret-key')
    return publicKey === undefined ? reply : send(withKeys(request, { publicKey, secretKey }))
  })
const named = (pairs: string, separator: string, name: string): string | undefined =>
  pairs
    .split(separator)
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** Of two faults, the one that is checked later is reported. @param correct fixes the one that should be reported */
const reportedFirst = (
  does: string,
  at: readonly OperationId[],
  early: (reply: WireReply) => boolean,
  correct: (request: WireRequest, world: FaultContext) => WireRequest,
  // Decided before anything is sent: a request with only the first fault must not be carried out.
  late: (request: WireRequest) => boolean,
) =>
  inReplies(does, at, 'any', (reply, request, world) =>
    early(reply) && late(request) ? world.send(correct(request, world)) : reply,
  )
const saying =
  (status: number, message = /^/) =>
  (reply: WireReply): boolean =>
    reply.status === status && message.test(messageOf(reply))
const rightKeys = (request: WireRequest, world: FaultContext): WireRequest => withKeys(request, world)
const rightType = (request: WireRequest): WireRequest => withHeader(request, 'content-type', 'application/json')
const rightVersion = (request: WireRequest): WireRequest => withHeader(request, 'x-api-version', '1')

const isOtherVersion = (request: WireRequest): boolean => header(request, 'x-api-version') !== '1'
const isOtherType = (request: WireRequest): boolean =>
  !/^application\/json/i.test(header(request, 'content-type') ?? '')
const isLarge = ({ body }: WireRequest): boolean => body.length > 65_536

export const orderFaults = faultsOf('incoming', {
  'keys-from-query': keysFrom('finds keys in the query', ({ path }, name) =>
    named(path.split('?')[1] ?? '', '&', name),
  ),
  'keys-from-body': keysFrom('finds keys in the body', (request, name) => {
    const given = fieldsOf(request) ?? {}
    return text(given, name) || text(given, name.replace('-', '_')) || undefined
  }),
  'last-of-two-secret-keys': inRequests('accepts the last of two secret keys', ALL, (request) => {
    const last = request.headers['secret-key']?.at(-1)?.split(', ').at(-1)
    return last === undefined ? request : withHeader(request, 'secret-key', last)
  }),
  'version-reported-before-keys': reportedFirst(
    'checks the version before the keys',
    ALL,
    saying(401),
    rightKeys,
    isOtherVersion,
  ),
  'media-type-reported-before-version': reportedFirst(
    'checks the media type before the version',
    POSTS,
    saying(400, /^x-api-version/),
    rightVersion,
    isOtherType,
  ),
  'size-reported-before-media-type': reportedFirst(
    'checks the size before the media type',
    POSTS,
    saying(415),
    rightType,
    isLarge,
  ),
})
