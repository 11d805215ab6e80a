import { exchange } from './exchange.ts'

/** One message as returned by the sandbox's inbox. */
export interface InboxMessage {
  readonly id: number
  readonly kind: 'callback' | 'handshake'
  readonly event: string | undefined
  readonly merchantReference: string | undefined
  readonly status: string | undefined
  readonly webhookId: string | undefined
  readonly receivedAt: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** A list contains only the beginning of a long body. */
  readonly bodyComplete: boolean
}

/** The inbox's reply was not that of a sandbox. `away`: it may come back. */
export class InboxError extends Error {
  override name = 'InboxError'
  readonly away: boolean

  constructor(message: string, away: boolean) {
    super(message)
    this.away = away
  }
}

const TIMEOUT_MS = 5_000

/**
 * The newest messages, oldest first.
 * @throws InboxError
 */
export async function newestMessages(gateway: URL): Promise<readonly InboxMessage[]> {
  const page = await sendRequest(gateway, '/sandbox/inbox')
  const messages = isObject(page) && Array.isArray(page.messages) ? page.messages.map(messageFrom) : undefined
  if (!messages) throw new InboxError(`${gateway.href} has no sandbox inbox: is it a Malipo in sandbox mode?`, false)
  return messages.filter((message) => message !== undefined).reverse()
}

/**
 * One complete message; absent when the inbox no longer has it.
 * @throws InboxError
 */
export async function messageOf(gateway: URL, id: number): Promise<InboxMessage | undefined> {
  return messageFrom(await sendRequest(gateway, `/sandbox/inbox/${id}`))
}

/** A request to the API, as logged by a sandbox. */
export interface ApiRequest {
  readonly id: number
  readonly at: string
  readonly method: string
  readonly path: string
  /** Absent when the client disconnected before the reply. */
  readonly status: number | undefined
  readonly ms: number
}

/**
 * The merchants' requests, oldest first; empty for a sandbox that does not return them.
 * @throws InboxError
 */
export async function requestsAfter(gateway: URL, id: number): Promise<readonly ApiRequest[]> {
  const reported = await sendRequest(gateway, `/sandbox/requests?after=${id}`)
  return isObject(reported) && Array.isArray(reported.requests)
    ? reported.requests.map(requestFrom).filter((request) => request !== undefined)
    : []
}

async function sendRequest(gateway: URL, path: string): Promise<unknown> {
  const url = new URL(gateway.pathname.replace(/\/$/, '') + path, gateway)
  const reply = await exchange(
    { method: 'GET', url, headers: { accept: 'application/json' } },
    TIMEOUT_MS,
    INBOX_MAX_BYTES,
  )
  if (reply.kind !== 'answered') throw new InboxError(`${gateway.href}: ${reply.why}`, true)
  if (reply.status === 404 && path !== '/sandbox/inbox') return undefined
  if (reply.status >= 500) throw new InboxError(`${gateway.href} answers ${reply.status}`, true)
  // The sandbox accepts only its own host names (DNS rebinding), and its error says how to add one.
  if (reply.status === 421)
    throw new InboxError(
      `${gateway.href}: its inbox does not answer to this name. Put ${gateway.hostname} into MALIPO_ALLOWED_HOSTS of the gateway`,
      false,
    )
  if (reply.status !== 200)
    throw new InboxError(`${gateway.href} answers ${reply.status} to ${path}: is it a Malipo in sandbox mode?`, false)
  try {
    return JSON.parse(reply.body)
  } catch {
    throw new InboxError(`${gateway.href} has no sandbox inbox: is it a Malipo in sandbox mode?`, false)
  }
}

/** A hundred messages of 8 kB and their headers, twice over. */
const INBOX_MAX_BYTES = 4 * 1024 * 1024

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function messageFrom(value: unknown): InboxMessage | undefined {
  if (!isObject(value) || typeof value.id !== 'number' || !isObject(value.headers)) return undefined
  return {
    id: value.id,
    kind: value.kind === 'handshake' ? 'handshake' : 'callback',
    event: text(value.event),
    merchantReference: text(value.merchant_reference),
    status: text(value.transaction_status),
    webhookId: text(value.webhook_id),
    receivedAt: text(value.received_at) ?? '',
    headers: Object.fromEntries(Object.entries(value.headers).map(([name, header]) => [name, String(header)])),
    body: text(value.body) ?? '',
    bodyComplete: value.body_complete !== false,
  }
}

function requestFrom(value: unknown): ApiRequest | undefined {
  if (!isObject(value) || typeof value.id !== 'number') return undefined
  return {
    id: value.id,
    at: text(value.at) ?? '',
    method: text(value.method) ?? '',
    path: text(value.path) ?? '',
    status: typeof value.status === 'number' ? value.status : undefined,
    ms: typeof value.ms === 'number' ? value.ms : 0,
  }
}
