import { createHash } from 'node:crypto'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { isFields, type Fields } from '../../harness/json.ts'
import type { WireHeaders, WireReply, WireRequest } from '../../harness/proxy.ts'
import type { OperationId, Plant, FaultContext } from './fault.ts'

// Small edits of messages, from which the faults are composed.

interface Message {
  readonly headers: WireHeaders
  readonly body: Buffer
}

type OperationList = readonly OperationId[]

export const PROVIDERS = ['listPaymentProviders'] as const
export const BANKS = ['listPayoutBanks'] as const
export const WALLETS = ['listWalletBalances'] as const
export const VERIFY = ['verifyTransaction'] as const
export const INITIALIZE = ['initializeCollection'] as const
export const AUTHORIZE = ['authorizeCollection'] as const
export const SEND = ['sendFunds'] as const
export const LOOKUPS = [...PROVIDERS, ...BANKS, ...WALLETS, ...VERIFY] as const
export const POSTS = [...INITIALIZE, ...AUTHORIZE, ...SEND] as const
export const PAYMENTS = [...INITIALIZE, ...SEND] as const
export const ALL = [...LOOKUPS, ...POSTS] as const

const ROUTES: ReadonlyMap<string, RegExp> = new Map(
  readContract(bundleUrl).operations.map(({ id, method, path }) => [
    id,
    new RegExp(`^${method} ${path.replaceAll(/\{[^}]+\}/g, '[^/?]+')}(\\?|$)`),
  ]),
)
export const isOne = (operations: OperationList, { method, path }: WireRequest): boolean =>
  operations.some((operation) => ROUTES.get(operation)?.test(`${method} ${path}`))

export const header = ({ headers }: Message, name: string): string | undefined => headers[name]?.[0]

/** `undefined` removes the header. */
export function withHeader<M extends Message>(message: M, name: string, value: string | undefined): M {
  const { [name]: _, ...rest } = message.headers
  return { ...message, headers: value === undefined ? rest : { ...rest, [name]: [value] } }
}

export function withBody<M extends Message>(message: M, text: string): M {
  const body = Buffer.from(text)
  return withHeader({ ...message, body }, 'content-length', String(body.length))
}

/** The JSON object in the body; undefined when there is none. */
export function fieldsOf({ body }: Message): Fields | undefined {
  const value = jsonOf(body)
  return isFields(value) ? value : undefined
}

/** The text in a field; empty for any other value. */
export const text = (fields: Fields, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')

/** Replaces a body that is a JSON object; every other body stays. */
export function withFields<M extends Message>(message: M, change: (fields: Fields) => unknown): M {
  const fields = fieldsOf(message)
  return fields ? withBody(message, JSON.stringify(change(fields))) : message
}

const inside =
  (name: string) =>
  (change: (inner: Fields) => unknown) =>
  (fields: Fields): Fields => {
    const inner = fields[name]
    return isFields(inner) ? { ...fields, [name]: change(inner) } : fields
  }
/** For `withFields`: changes what is under `data`, or under `payload`. */
export const data = inside('data')
export const payload = inside('payload')
/** For `withFields`: changes each object of a list under `data`. */
export const each = (list: string, change: (item: Fields) => unknown) =>
  data((inner) => {
    const items = inner[list]
    return Array.isArray(items)
      ? { ...inner, [list]: items.map((item: unknown) => (isFields(item) ? change(item) : item)) }
      : inner
  })

export const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
/** Also in the envelope. */
export const withStatus = (reply: WireReply, status: number): WireReply => ({
  ...withFields(reply, (fields) => ('code' in fields ? { ...fields, code: status } : fields)),
  status,
})

export function refusal(reply: WireReply, status: number, message: string): WireReply {
  return {
    ...withBody(
      withHeader(reply, 'content-type', 'application/json; charset=utf-8'),
      JSON.stringify({ code: status, status: 'error', message, reason: 'invalid_request', data: {} }),
    ),
    status,
  }
}
export function messageOf(reply: WireReply): string {
  const message = fieldsOf(reply)?.['message']
  return typeof message === 'string' ? message : ''
}

/** Changes requests to these operations. */
export const requests = (at: OperationList, change: (request: WireRequest) => WireRequest): Plant => ({
  api: { onRequest: (request) => (isOne(at, request) ? change(request) : request) },
})

type ChangeReply = (reply: WireReply, request: WireRequest) => WireReply | Promise<WireReply>
/** Changes replies of these operations, of one status or of all. */
export const replies = (at: OperationList, status: number | 'any', change: ChangeReply): Plant => ({
  api: {
    onReply: (reply, request) =>
      isOne(at, request) && (status === 'any' || reply.status === status) ? change(reply, request) : reply,
  },
})

const CORRECTIONS_MAX = 12
/** Accepts what the gateway refuses with this text: sends a corrected request, as often as it is refused so. */
export const accepts = (
  { send }: Pick<FaultContext, 'send'>,
  at: OperationList,
  text: RegExp,
  correct: (request: WireRequest, match: RegExpExecArray) => WireRequest,
): Plant =>
  replies(at, 'any', async (first, request) => {
    let [reply, requested] = [first, request]
    for (let round = 0; round < CORRECTIONS_MAX; round += 1) {
      const match = reply.status < 400 ? null : text.exec(messageOf(reply))
      if (!match) break
      // The idempotency key of a refused request would only replay the refusal.
      requested = correct(withHeader(requested, 'idempotency-key', undefined), match)
      reply = await send(requested)
    }
    return reply
  })

/** For `accepts`: sets fields of the body. */
export const setting =
  (fields: Fields | ((given: Fields) => Fields)) =>
  (request: WireRequest): WireRequest =>
    withFields(request, (given) => ({ ...given, ...(typeof fields === 'function' ? fields(given) : fields) }))
/** For `accepts`: removes the field that the text begins with. */
export const dropping = (request: WireRequest, [, name = '']: RegExpExecArray): WireRequest =>
  withFields(request, (given) => dropped(given, name.split('.')))

function dropped(fields: Fields, [name = '', ...deeper]: readonly string[]): Fields {
  const inner = fields[name]
  return deeper.length > 0 && isFields(inner) ? { ...fields, [name]: dropped(inner, deeper) } : without(fields, name)
}

/** A phone number of MTN Uganda derived from the text only: for requests that must be accepted. */
export const phoneFor = (text: string): string =>
  `25677${String(createHash('sha256').update(text).digest().readUInt32BE() % 10_000).padStart(4, '0')}123`

/** Credentials of a merchant. */
interface Keys {
  readonly publicKey: string
  readonly secretKey: string | undefined
}
export const withKeys = (request: WireRequest, { publicKey, secretKey }: Keys): WireRequest =>
  withHeader(withHeader(request, 'public-key', publicKey), 'secret-key', secretKey)
