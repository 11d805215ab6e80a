import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exchange, WireRequest } from '../../harness/proxy.ts'
import { isObject } from '../../../openapi/reading/json.ts'
import { OK, play, type Reply } from './replies.ts'

/** A request that came to the merchant's server, and what it was answered. */
export interface Message extends WireRequest {
  readonly at: Date
  /** The webhook that its URL is for; undefined for any other URL. */
  readonly webhook: string | undefined
  /** The JSON body; undefined when there is none. */
  readonly json: unknown
  /** The merchant reference in the payload or the query. */
  readonly reference: string | undefined
  readonly reply: Reply
}

/** A message before it is answered. */
export type Arrival = Omit<Message, 'reply'>

export interface ReceiverOptions {
  /** 0 picks one. */
  readonly port?: number
  /** Where the server sends each webhook: name → path. */
  readonly paths: Readonly<Record<string, string>>
  /** What is answered; 200 unless told. */
  readonly decide?: (arrival: Arrival) => Reply | Promise<Reply>
  /** The clock of the server that sends. */
  readonly now?: () => Date
}

export interface Receiver {
  readonly port: number
  /** All that came and was answered, in that order. */
  readonly messages: readonly Message[]
  messagesOf(reference: string): readonly Message[]
  /** The same as whole exchanges, where a reply was sent at all. */
  exchanges(): readonly Exchange[]
  close(): Promise<void>
}

/** A merchant's server for the webhooks of a contract: it writes down everything, and answers as it is told. */
export async function startReceiver({
  port = 0,
  paths,
  decide = () => OK,
  now = () => new Date(),
}: ReceiverOptions): Promise<Receiver> {
  const messages: Message[] = []
  const byReference = new Map<string, Message[]>()
  const webhookAt = new Map(Object.entries(paths).map(([webhook, path]) => [path, webhook]))

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
    } catch {
      return // cut off in the middle: it was no request
    }
    const body = Buffer.concat(chunks)
    const [pathname = '', query] = (incoming.url ?? '').split('?', 2)
    const json = jsonIn(body)
    const reference = new URLSearchParams(query).get('reference') ?? referenceIn(json)
    const arrival: Arrival = {
      at: now(),
      method: incoming.method ?? '',
      path: incoming.url ?? '/',
      headers: incoming.headersDistinct,
      body,
      webhook: webhookAt.get(pathname),
      json,
      reference,
    }
    const reply = await decide(arrival)
    const message: Message = { ...arrival, reply }
    messages.push(message)
    if (reference !== undefined) byReference.set(reference, [...(byReference.get(reference) ?? []), message])
    play(reply, outgoing)
  }
  const server = createServer((incoming, outgoing) => void take(incoming, outgoing))
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, '127.0.0.1', 1024, resolve))

  return {
    port: (server.address() as AddressInfo).port,
    messages,
    messagesOf: (reference) => byReference.get(reference) ?? [],
    exchanges: () =>
      messages.flatMap(({ at, reply, method, path, headers, body }) =>
        'status' in reply
          ? [
              {
                at,
                request: { method, path, headers, body },
                reply: {
                  status: reply.status,
                  headers: Object.fromEntries(
                    Object.entries(reply.headers ?? {}).map(([name, value]) => [name, [value]]),
                  ),
                  body: Buffer.from(reply.body ?? ''),
                },
              },
            ]
          : [],
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function referenceIn(json: unknown): string | undefined {
  const payload = isObject(json) ? json.payload : undefined
  return isObject(payload) && typeof payload.merchant_reference === 'string' ? payload.merchant_reference : undefined
}
