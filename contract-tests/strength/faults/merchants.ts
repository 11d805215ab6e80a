import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import {
  AUTHORIZE,
  data,
  each,
  fieldsOf,
  header,
  isOne,
  messageOf,
  PAYMENTS,
  POSTS,
  PROVIDERS,
  refusal,
  SEND,
  VERIFY,
  WALLETS,
  withBody,
  withFields,
  withHeader,
} from './edit.ts'
import { ruleFaultsOf, type OperationId, type Plant, type FaultContext } from './fault.ts'
import { stateIn } from './rows.ts'
import { changingReplies, lastOf, changingMessages, withKeys, type Keys, type FaultState } from './traffic-history.ts'
import { signCallback, signMessage, signState } from './sign.ts'

// Two merchants that are not isolated. The context has the first one's keys; the others' are recorded from accepted
// requests.

/** The first successful answer that another merchant's keys would get. */
async function ofAnother(
  reply: WireReply,
  request: WireRequest,
  { seen, send }: Pick<FaultState, 'seen' | 'send'>,
): Promise<WireReply> {
  for (const keys of seen.others(request)) {
    const shown = await send(withKeys(request, keys))
    if (shown.status < 300) return shown
  }
  return reply
}

/** The reply with the balances of another merchant's wallets added to its own. */
function addBalances(reply: WireReply, more: WireReply): WireReply {
  const { merchant_wallets: wallets } = stateIn(more)
  const others = Array.isArray(wallets) ? (wallets as Fields[]) : []
  const sum = (wallet: Fields, name: string): number =>
    Number(wallet[name]) +
    Number(
      others.find(
        (other) => other['currency'] === wallet['currency'] && other['wallet_type'] === wallet['wallet_type'],
      )?.[name] ?? 0,
    )
  return withFields(
    reply,
    each('merchant_wallets', (wallet) => ({
      ...wallet,
      available_balance: sum(wallet, 'available_balance'),
      actual_balance: sum(wallet, 'actual_balance'),
    })),
  )
}

/** Replaces a 404 about another merchant's resource. */
const aboutAnothers = (what: string, at: readonly OperationId[], say: (reply: WireReply, name: string) => WireReply) =>
  changingReplies(what, at, async (reply, request, reported) => {
    const isAnothers = reply.status === 404 && (await ofAnother(reply, request, reported)).status < 300
    return isAnothers ? say(reply, lastOf(request) ?? '') : reply
  })

/** Caches a reply to one merchant and returns it to every merchant. */
const cachedForAll = (what: string, at: readonly OperationId[]) => ({
  what,
  plant: (): Plant => {
    const kept = new Map<string, WireReply>()
    return {
      api: {
        onReply: (reply, request) => {
          if (!isOne(at, request) || reply.status !== 200) return reply
          const first = kept.get(request.path) ?? reply
          kept.set(request.path, first)
          return withHeader(withBody(reply, first.body.toString()), 'content-type', header(first, 'content-type'))
        },
      },
    }
  },
})

const referenceOf = ({ path }: WireRequest): string | null =>
  new URL(path, 'http://merchant').searchParams.get('reference')
const isHandshake = ({ method }: WireRequest): boolean => method === 'GET'
/** Whether a callback or handshake is about another merchant than the first. */
function isForAnother(message: WireRequest, { seen, publicKey }: Pick<FaultState, 'seen' | 'publicKey'>): boolean {
  if (!isHandshake(message))
    return ![undefined, publicKey].includes(seen.ownerOf(stateIn(message)['internal_reference'])?.publicKey)
  const users = seen.usersOf(referenceOf(message))
  return users.length > 0 && users.every((user) => user.publicKey !== publicKey)
}
/** Messages to another merchant than the first. */
const toAnother = (
  what: string,
  when: (message: WireRequest) => boolean,
  change: (message: WireRequest, reported: FaultState) => WireRequest,
) =>
  changingMessages(what, (message, reported) =>
    when(message) && isForAnother(message, reported) ? change(message, reported) : message,
  )
const isCallback = (message: WireRequest): boolean => !isHandshake(message)

/** Sends other merchants' callbacks to a wrong address, or the first one's as well. */
const toOthersUrl = (
  what: string,
  send: (path: string, message: WireRequest, reported: FaultState) => WireRequest | Promise<WireRequest>,
) => ({
  what,
  plant: (world: FaultContext): Plant => {
    const paths = new Map<string, string>()
    return changingMessages(what, (message, reported) => {
      if (isHandshake(message)) return message
      const type = String(stateIn(message)['transaction_type'])
      const [own, other] = isForAnother(message, reported) ? ['other', 'first'] : ['first', 'other']
      paths.set(`${own} ${type}`, message.path)
      const path = paths.get(`${other} ${type}`)
      return path === undefined ? message : send(path, message, reported)
    }).plant(world)
  },
})

/** An idempotency key of one merchant or operation counts for others too. */
const keysShared = (
  what: string,
  scope: (request: WireRequest) => string,
  isShared: (one: string, other: string) => boolean,
) => ({
  what,
  plant: (): Plant => {
    const first = new Map<string, { readonly by: string; readonly body: string; readonly reply: WireReply }>()
    return {
      api: {
        onRequest: (request) => {
          const kept = first.get(header(request, 'idempotency-key') ?? '')
          if (!kept || !isOne(POSTS, request) || !isShared(kept.by, scope(request))) return request
          const isSame = kept.body === request.body.toString()
          const another = 'Idempotency-Key has already been used with a different request'
          return {
            answer: isSame ? withHeader(kept.reply, 'idempotency-replayed', 'true') : refusal(kept.reply, 409, another),
          }
        },
        onReply: (reply, request) => {
          const key = header(request, 'idempotency-key')
          if (key !== undefined && reply.status === 202 && !first.has(key))
            first.set(key, { by: scope(request), body: request.body.toString(), reply })
          return reply
        },
      },
    }
  },
})
/** Keys of all merchants, the first one included. */
const allKnown = ({ seen, publicKey, secretKey }: FaultState): readonly Keys[] => {
  const nobody: WireRequest = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) }
  return [{ publicKey, secretKey }, ...seen.others(nobody).filter((keys) => keys.publicKey !== publicKey)]
}
const merchantOf = (request: WireRequest): string => `${header(request, 'public-key')} ${request.path}`

export const merchantFaults = ruleFaultsOf('merchants', {
  'others-transaction-shown': changingReplies(
    "verify shows another merchant's transaction",
    VERIFY,
    (reply, request, reported) => (reply.status === 404 ? ofAnother(reply, request, reported) : reply),
  ),
  'others-transaction-reported': aboutAnothers(
    "verify discloses the owner of another merchant's reference",
    VERIFY,
    (reply, name) => refusal(reply, 404, `Transaction (${name}) belongs to another account`),
  ),
  'others-transaction-403': aboutAnothers(
    "verify answers 403 about another merchant's transaction",
    VERIFY,
    (reply, name) => refusal(reply, 403, `Transaction (${name}) was not found`),
  ),
  'found-by-internal-reference': changingReplies(
    "verify finds transactions by Malipo's reference for every merchant",
    VERIFY,
    async (reply, request, { seen, send }) => {
      const requested = seen.accepted().find(({ internalReference }) => internalReference === lastOf(request))
      const keys = seen.ownerOf(requested?.internalReference)
      if (reply.status !== 404 || !requested || !keys) return reply
      const path = `/data/transaction/verify/${String(requested.merchantReference)}`
      return send(withKeys({ ...request, path }, keys))
    },
  ),
  'verify-kept-for-all': cachedForAll('verify gives the first reply about a reference to every merchant', VERIFY),
  'balances-kept-for-all': cachedForAll('shows every merchant the balances that the first one saw', WALLETS),
  'balances-of-all-added': changingReplies(
    'adds the balances of all merchants in the payout wallet',
    WALLETS,
    async (reply, request, { seen, send }) => {
      if (reply.status !== 200) return reply
      let sum = reply
      for (const keys of seen.others(request).filter(({ secretKey }) => secretKey !== undefined))
        sum = addBalances(sum, await send(withKeys(request, keys)))
      return sum
    },
  ),
  'providers-kept-for-all': cachedForAll('shows every merchant the providers that the first one may use', PROVIDERS),
  'others-collection-authorized': changingReplies(
    "accepts a one-time password for another merchant's collection",
    AUTHORIZE,
    (reply, request, reported) => (reply.status === 404 ? ofAnother(reply, request, reported) : reply),
  ),
  'others-collection-409': changingReplies(
    "reports another merchant's collection as not waiting for an OTP",
    AUTHORIZE,
    (reply, request, { seen }) => {
      const name = fieldsOf(request)?.['internal_reference']
      return reply.status === 404 && seen.ownerOf(name)
        ? refusal(reply, 409, `Collection (${String(name)}) is not waiting for a one-time password`)
        : reply
    },
  ),
  'references-of-all-merchants': changingReplies(
    'refuses a reference that another merchant has used',
    PAYMENTS,
    (reply, request, { seen }) => {
      const { merchant_reference: name } = fieldsOf(request) ?? {}
      const own = header(request, 'public-key')
      const isUsed = reply.status === 202 && seen.usersOf(name).some(({ publicKey }) => publicKey !== own)
      return isUsed ? refusal(reply, 409, `merchant_reference (${String(name)}) has already been used`) : reply
    },
  ),
  'idempotency-keys-of-all-merchants': keysShared(
    "treats another merchant's Idempotency-Key as a replay",
    merchantOf,
    (one, other) => one !== other && one.split(' ')[1] === other.split(' ')[1],
  ),
  'idempotency-keys-of-all-operations': keysShared(
    'treats the Idempotency-Key of a collection as one of payouts',
    merchantOf,
    (one, other) => one !== other && one.split(' ')[0] === other.split(' ')[0],
  ),
  'secret-key-of-another': changingReplies(
    "accepts any merchant's secret-key with a valid public-key",
    [...SEND, ...WALLETS],
    (reply, request, reported) => {
      const all = allKnown(reported)
      const right = all.find(({ publicKey }) => publicKey === header(request, 'public-key'))
      const isKnown = all.some(({ secretKey }) => secretKey === header(request, 'secret-key'))
      return reply.status === 401 && isKnown && right?.secretKey !== undefined
        ? reported.send(withKeys(request, right))
        : reply
    },
  ),
  'secret-key-says-who': changingReplies(
    'acts for the merchant of the secret-key, whatever public-key comes with it',
    [...SEND, ...WALLETS],
    (reply, request, context) => {
      const all = allKnown(context)
      const owner = all.find(({ secretKey }) => secretKey !== undefined && secretKey === header(request, 'secret-key'))
      const isAnother = all.some(({ publicKey }) => publicKey === header(request, 'public-key'))
      return reply.status === 401 && owner && isAnother ? context.send(withKeys(request, owner)) : reply
    },
  ),
  'customer-name-of-another': changingReplies(
    'fills in a missing customer_name from another merchant with the same account',
    VERIFY,
    (reply, request, { seen }) => {
      const { customer_name: own, transaction_account: account } = stateIn(reply)
      const name = seen
        .accepted()
        .filter(({ publicKey }) => publicKey !== header(request, 'public-key'))
        .map((accepted) => accepted.request)
        .find(({ msisdn, account_number }) => [msisdn, account_number].includes(account))?.['customer_name']
      return reply.status === 200 && own === undefined && name !== undefined
        ? withFields(
            reply,
            data((inner) => ({ ...inner, customer_name: name })),
          )
        : reply
    },
  ),
  'callbacks-signed-for-first': toAnother(
    "signs every merchant's callbacks with the first one's keys",
    isCallback,
    (message, reported) => signCallback(message, reported),
  ),
  'webhook-secret-of-first': toAnother(
    "makes webhook-signature with the first merchant's secret for all",
    isCallback,
    (message, reported) => signMessage(message, reported),
  ),
  'handshakes-signed-for-first': toAnother(
    "signs every merchant's handshakes with the first one's secret",
    isHandshake,
    (message, context) => signMessage(message, context),
  ),
  'callbacks-to-another': toOthersUrl("calls another merchant's URL", (path, message) => ({ ...message, path })),
  'callbacks-to-all': toOthersUrl('calls the URLs of all merchants', async (path, message, { deliver }) => {
    await deliver({ ...message, path })
    return message
  }),
  'redirect-signed-for-first': changingReplies(
    "signs every merchant's redirects with the first one's signing key",
    ({ path }) => path.startsWith('/pay/collection/'),
    (reply, request, { seen, publicKey, signingKey }) => {
      const location = header(reply, 'location')
      const owner = seen.ownerOf(lastOf(request))?.publicKey
      if (location === undefined || owner === undefined || owner === publicKey) return reply
      const outcome = Object.fromEntries(new URL(location, 'http://gateway').searchParams)
      const [, digest = ''] = signState(outcome['event'], outcome, signingKey, 0).hmac.split('s=')
      return withHeader(reply, 'location', location.replace(/s%3D[0-9a-f]{64}/, `s%3D${digest}`))
    },
  ),
  'wrong-key-of-another-words': changingReplies(
    'says that a secret-key is right and of another account',
    [...SEND, ...WALLETS],
    (reply, request, { seen }) => {
      const isKnown = seen.others(request).some(({ secretKey }) => secretKey === header(request, 'secret-key'))
      return reply.status === 401 && isKnown && /not valid/.test(messageOf(reply))
        ? withFields(reply, (fields) => ({ ...fields, message: 'The secret-key belongs to another account' }))
        : reply
    },
  ),
})
