import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import { ALL, fieldsOf, header, isOne, PAYMENTS, withHeader } from './edit.ts'
import type { OperationId, Plant, FaultContext } from './fault.ts'
import { servesKey } from './sign.ts'

/** Credentials of a merchant. */
export interface Keys {
  readonly publicKey: string
  /** Absent until a request with it was carried out. */
  readonly secretKey: string | undefined
}

export interface AcceptedPayment {
  readonly publicKey: string
  readonly internalReference: unknown
  readonly merchantReference: unknown
  /** The body that was sent. */
  readonly request: Fields
}

/** History of the traffic between merchants and the gateway: accepted keys and accepted payments. */
export interface TrafficHistory {
  /** Keys of all known merchants except the sender's. */
  others(request: WireRequest): readonly Keys[]
  /** Keys of the merchant whose payment has this internal reference. */
  ownerOf(internalReference: unknown): Keys | undefined
  /** Keys of the merchants that used this merchant reference. */
  usersOf(merchantReference: unknown): readonly Keys[]
  /** Accepted payments, in the order of the replies. */
  accepted(): readonly AcceptedPayment[]
  note(reply: WireReply, request: WireRequest): void
}

export const withKeys = (request: WireRequest, { publicKey, secretKey }: Keys): WireRequest =>
  withHeader(withHeader(request, 'public-key', publicKey), 'secret-key', secretKey)

/** `/data/transaction/verify/<this>`, and `/pay/collection/<this>`; undefined for another path. */
export const lastOf = ({ path }: Pick<WireRequest, 'path'>): string | undefined =>
  /^\/(?:data\/transaction\/verify|pay\/collection)\/([^/?]+)/.exec(path)?.[1]

export function createTrafficHistory(): TrafficHistory {
  const merchants = new Map<string, Keys>()
  const accepted: AcceptedPayment[] = []
  const keysOf = ({ publicKey }: Pick<AcceptedPayment, 'publicKey'>): Keys =>
    merchants.get(publicKey) ?? { publicKey, secretKey: undefined }
  return {
    others: (request) => [...merchants.values()].filter(({ publicKey }) => publicKey !== header(request, 'public-key')),
    ownerOf(name) {
      const found = accepted.find(({ internalReference }) => internalReference === name)
      return found && keysOf(found)
    },
    usersOf: (name) => [...new Set(accepted.filter(({ merchantReference }) => merchantReference === name).map(keysOf))],
    accepted: () => accepted,
    note(reply, request) {
      const publicKey = header(request, 'public-key')
      // Keys are checked in operations only.
      if (publicKey === undefined || !isOne(ALL, request) || reply.status === 401 || reply.status >= 500) return
      // The secret key is checked only where it is required.
      const wanted = isOne(['listWalletBalances', 'sendFunds'], request)
      const secretKey = (wanted ? header(request, 'secret-key') : undefined) ?? merchants.get(publicKey)?.secretKey
      merchants.set(publicKey, { publicKey, secretKey })
      if (reply.status !== 202 || !isOne(PAYMENTS, request)) return
      const data = fieldsOf(reply)?.['data'] as Fields | undefined
      const { internal_reference: internalReference, merchant_reference: merchantReference } = data ?? {}
      accepted.push({ publicKey, internalReference, merchantReference, request: fieldsOf(request) ?? {} })
    },
  }
}

/** The context of a stateful fault. */
export type FaultState = FaultContext & { readonly seen: TrafficHistory }

/** Changes replies by the earlier traffic. @param at operations, or a predicate of requests */
export const changingReplies = (
  what: string,
  at: readonly OperationId[] | ((request: WireRequest) => boolean),
  change: (reply: WireReply, request: WireRequest, reported: FaultState) => WireReply | Promise<WireReply>,
) => ({
  what,
  plant: (world: FaultContext): Plant => {
    const seen = createTrafficHistory()
    return {
      api: {
        onReply: async (reply, request) => {
          seen.note(reply, request)
          const isMeant = typeof at === 'function' ? at(request) : isOne(at, request)
          return isMeant ? change(reply, request, { ...world, seen }) : reply
        },
      },
    }
  },
})

/** Changes messages to merchants by the earlier traffic. */
export const changingMessages = (
  what: string,
  change: (message: WireRequest, reported: FaultState) => WireRequest | Promise<WireRequest>,
) => ({
  what,
  plant: (world: FaultContext): Plant => {
    const seen = createTrafficHistory()
    return {
      api: {
        ...servesKey,
        onReply: (reply, request) => {
          seen.note(reply, request)
          return reply
        },
      },
      merchant: { onRequest: (message) => change(message, { ...world, seen }) },
    }
  },
})
