import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import {
  accepts,
  data,
  each,
  fieldsOf,
  refusal,
  replies,
  requests,
  setting,
  VERIFY,
  withFields,
  withStatus,
} from './edit.ts'
import type { TrafficRow, OperationId, FaultContext } from './fault.ts'
import { servesKey, signCallback, withOutcome } from './sign.ts'

// Builders of rows for the tables of faults: what a gateway with the fault does, where it shows, and how it is planted.

type OperationList = readonly OperationId[]
type MaybeReply = WireReply | Promise<WireReply>
type ChangeRequest = (request: WireRequest, world: FaultContext) => WireRequest
type ChangeReply = (reply: WireReply, request: WireRequest, world: FaultContext) => MaybeReply

/** Changes requests on the way to the gateway. */
export const inRequests = (does: string, at: OperationList, change: ChangeRequest): TrafficRow => ({
  does,
  plant: (world) => requests(at, (request) => change(request, world)),
})

/** Changes fields of requests on the way to the gateway. @param everywhere the operations, if not `at` alone */
export const carriedOut = (
  does: string,
  at: OperationList,
  change: (given: Fields) => Fields,
  everywhere = at,
): TrafficRow => ({
  does,
  plant: () => requests(everywhere, setting(change)),
})

/** Accepts what is refused with this text: sends a corrected request. */
export const acceptedAnyway = (
  does: string,
  at: OperationList,
  text: RegExp,
  correct: Parameters<typeof accepts>[3],
): TrafficRow => ({
  does,
  plant: (world) => accepts(world, at, text, correct),
})

/** Replies of one status, or of all. */
export const inReplies = (
  does: string,
  at: OperationList,
  status: number | 'any',
  change: ChangeReply,
): TrafficRow => ({
  does,
  plant: (world) => replies(at, status, (reply, request) => change(reply, request, world)),
})

/** Replies of any path, pages included. */
export const inAnyReplies = (
  does: string,
  isMeant: (reply: WireReply, request: WireRequest) => boolean,
  change: ChangeReply,
): TrafficRow => ({
  does,
  plant: (world) => ({
    api: {
      ...servesKey,
      onReply: (reply, request) => (isMeant(reply, request) ? change(reply, request, world) : reply),
    },
  }),
})

/** A row with a memory, which is new in each run. */
export const remembering = (make: () => TrafficRow): TrafficRow => ({
  does: make().does,
  plant: (world) => make().plant(world),
})

/** One reply in so many. */
export const atTimes = (
  does: string,
  at: OperationList,
  [status, every]: readonly [status: number | 'any', every: number],
  change: ChangeReply,
): TrafficRow =>
  remembering(() => {
    let count = 0
    return inReplies(does, at, status, (reply, ...rest) =>
      (count += 1) % every === 0 ? change(reply, ...rest) : reply,
    )
  })

/** Another status, in the envelope as well. */
export const renumbered = (does: string, at: OperationList, from: number, to: number): TrafficRow =>
  inReplies(does, at, from, (reply) => withStatus(reply, to))

/** A refusal in place of the replies that `when` selects. */
export const refused = (
  does: string,
  at: OperationList,
  [status, message]: readonly [status: number, message: string],
  when: (reply: WireReply, request: WireRequest) => boolean,
): TrafficRow =>
  inReplies(does, at, 'any', (reply, requested) => (when(reply, requested) ? refusal(reply, status, message) : reply))

/** The JSON object of replies. */
const inJson = (
  does: string,
  at: OperationList,
  status: number | 'any',
  change: (fields: Fields) => unknown,
): TrafficRow => inReplies(does, at, status, (reply) => withFields(reply, change))

/** The value under `data`. */
export const inData = (
  does: string,
  at: OperationList,
  status: number,
  change: (inner: Fields) => unknown,
): TrafficRow => inJson(does, at, status, data(change))

const LISTED_BY = {
  payment_providers: ['listPaymentProviders'],
  payout_banks: ['listPayoutBanks'],
  merchant_wallets: ['listWalletBalances'],
} as const
/** The transaction in replies to verify. */
export const verified = (does: string, change: (state: Fields) => unknown): TrafficRow =>
  inData(does, VERIFY, 200, change)
/** Each item of a lookup's list. */
export const inEach = (does: string, list: keyof typeof LISTED_BY, change: (item: Fields) => unknown): TrafficRow =>
  inJson(does, LISTED_BY[list], 200, each(list, change))

/** Changes verify and callbacks alike, the event included: only knowledge of the rules reveals it. */
export const reported = (does: string, change: (state: Fields) => Fields): TrafficRow => ({
  does,
  plant: (world) => ({
    api: {
      ...servesKey,
      ...replies(['verifyTransaction'], 200, (reply) => withFields(reply, data(change))).api,
    },
    merchant: {
      onRequest: (message) =>
        message.method === 'POST' ? signCallback(withFields(message, withOutcome(change)), world) : message,
    },
  }),
})

/** Rows about one kind of message to the merchant. */
const messages = (isOne: (message: WireRequest) => boolean) => ({
  /** Changes the message. */
  sent: (does: string, change: ChangeRequest): TrafficRow => ({
    does,
    plant: (world) => ({
      api: servesKey,
      merchant: { onRequest: (message) => (isOne(message) ? change(message, world) : message) },
    }),
  }),
  /** Changes the merchant's answer. */
  answered: (does: string, change: ChangeReply): TrafficRow => ({
    does,
    plant: (world) => ({
      api: servesKey,
      merchant: { onReply: (reply, message) => (isOne(message) ? change(reply, message, world) : reply) },
    }),
  }),
  /** Acknowledges the message to the gateway and never delivers it. */
  lost: (does: string, when: (message: WireRequest) => boolean = () => true): TrafficRow => ({
    does,
    plant: () => ({
      merchant: { onRequest: (message) => (isOne(message) && when(message) ? { answer: OK } : message) },
    }),
  }),
})
export const callbacks = messages(({ body }) => body.length > 0)
export const handshakes = messages(({ body }) => body.length === 0)

/** An acknowledgement. */
export const OK: WireReply = { status: 200, headers: { 'content-length': ['0'] }, body: Buffer.alloc(0) }
/** Reads the same answer as another one where `when` says so. */
export const readAs =
  (another: WireReply, when: (status: number) => boolean) =>
  (reply: WireReply): WireReply =>
    when(reply.status) ? another : reply

/** A transaction in a body, under `payload` or `data`; empty when there is none. */
export const stateIn = (message: { readonly headers: WireRequest['headers']; readonly body: Buffer }): Fields => {
  const fields = fieldsOf(message) ?? {}
  return (fields['payload'] ?? fields['data'] ?? {}) as Fields
}
