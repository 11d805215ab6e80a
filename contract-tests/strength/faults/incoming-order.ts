import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import { ALL, fieldsOf, header, messageOf, PAYMENTS, POSTS, refusal, withHeader } from './edit.ts'
import { ruleFaultsOf, type OperationId, type Plant, type FaultContext } from './fault.ts'
import { inReplies } from './rows.ts'
import { changingReplies, withKeys } from './traffic-history.ts'

// Faults in where keys may be, and in the order of checks.

const text = (given: Fields, name: string): string => (typeof given[name] === 'string' ? given[name] : '')

/** Accepts keys in another place. */
const keysFrom = (what: string, find: (request: WireRequest, name: string) => string | undefined) =>
  inReplies(what, ALL, 401, (reply, request, { send }) => {
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
  what: string,
  at: readonly OperationId[],
  early: (reply: WireReply) => boolean,
  correct: (request: WireRequest, world: FaultContext) => WireRequest,
  // Decided before anything is sent: a request with only the first fault must not be carried out.
  late: (request: WireRequest) => boolean,
) =>
  inReplies(what, at, 'any', (reply, request, world) =>
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
const isIncomplete = (request: WireRequest): boolean => {
  const given = fieldsOf(request)
  return given !== undefined && !('description' in given) && !('otp' in given)
}

/** Providers of the sandbox. */
const PROVIDER_CODE =
  /^(?:(?:mtn|airtel)_(?:ug|rw|gh|zm)|airtel_(?:ke|tz)|mpesa_ke|vodacom_tz|tigopesa_tz|bank_(?:ng|za))$/

export const orderFaults = ruleFaultsOf('incoming', {
  'keys-from-query': keysFrom('finds keys in the query', ({ path }, name) =>
    named(path.split('?')[1] ?? '', '&', name),
  ),
  'keys-from-cookie': keysFrom('finds keys in a cookie', (request, name) =>
    named(header(request, 'cookie') ?? '', ';', name),
  ),
  'keys-from-body': keysFrom('finds keys in the body', (request, name) => {
    const given = fieldsOf(request) ?? {}
    return text(given, name) || text(given, name.replace('-', '_')) || undefined
  }),
  'keys-from-authorization': keysFrom('finds the public-key in Authorization', (request, name) =>
    name === 'public-key' ? /^Bearer (\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1] : undefined,
  ),
  'keys-from-x-api-key': keysFrom('finds the secret-key in X-API-Key', (request, name) =>
    name === 'secret-key' ? header(request, 'x-api-key') : undefined,
  ),
  'keys-trimmed': inReplies('strips quotation marks from keys', ALL, 401, (reply, request, { send }) => {
    const [publicKey = '', secretKey] = ['public-key', 'secret-key'].map((name) =>
      header(request, name)?.replaceAll(/^"|"$/g, ''),
    )
    return publicKey === (header(request, 'public-key') ?? '')
      ? reply
      : send(withKeys(request, { publicKey, secretKey }))
  }),
  'version-reported-before-keys': reportedFirst(
    'checks the version before the keys',
    ALL,
    saying(401),
    rightKeys,
    isOtherVersion,
  ),
  'media-type-reported-before-keys': reportedFirst(
    'checks the media type before the keys',
    POSTS,
    saying(401),
    rightKeys,
    isOtherType,
  ),
  'size-reported-before-keys': reportedFirst('checks the size before the keys', POSTS, saying(401), rightKeys, isLarge),
  'fields-reported-before-keys': reportedFirst(
    'checks the fields before the keys',
    POSTS,
    saying(401),
    rightKeys,
    isIncomplete,
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
  'json-reported-before-media-type': reportedFirst(
    'parses the JSON before it checks the media type',
    POSTS,
    saying(415),
    rightType,
    (request) => fieldsOf(request) === undefined,
  ),
  'keys-reported-before-method': {
    what: 'checks the keys before the method',
    plant: ({ send }: FaultContext): Plant => ({
      api: {
        onReply: async (reply, request) => {
          const isOpen =
            header(request, 'public-key') === undefined && /^\/(?:data|collections|payout)\//.test(request.path)
          if (reply.status !== 405 || !isOpen) return reply
          const refused = await send({ ...request, method: 'GET', path: '/data/wallet-balances' })
          return refused.status === 401 ? refused : reply
        },
      },
    }),
  },
  'used-reference-reported-before-provider': changingReplies(
    'checks the reference before the provider',
    PAYMENTS,
    (reply, request, { seen }) => {
      const own = text(fieldsOf(request) ?? {}, 'merchant_reference')
      const isUsed = seen.accepted().some(({ merchantReference }) => merchantReference === own)
      return isUsed && saying(400, /^Invalid provider code|^amount must be between/)(reply)
        ? refusal(reply, 409, `merchant_reference (${own}) has already been used`)
        : reply
    },
  ),
  'provider-reported-before-fields': inReplies(
    'checks the provider before the description',
    PAYMENTS,
    400,
    (reply, request) => {
      const code = text(fieldsOf(request) ?? {}, 'provider_code')
      return messageOf(reply).startsWith('description must have') && code !== '' && !PROVIDER_CODE.test(code)
        ? refusal(reply, 400, `Invalid provider code (${code})`)
        : reply
    },
  ),
})
