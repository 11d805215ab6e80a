import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { jsonOf } from '../../openapi/reading/wire.ts'
import { listen, type ListeningServer } from '../harness/listen.ts'
import type { OwnGateway } from '../harness/part.ts'
import type { WireRequest } from '../harness/proxy.ts'
import { fieldsOf } from '../harness/json.ts'
import { WEBHOOK_PATHS } from './webhooks.ts'
import { OK, play, type ReceiverReply } from './merchant-replies.ts'

/** A request to the merchant's server, and its answer. */
export interface Message extends WireRequest {
  readonly at: Date
  /** The webhook that its URL is for; undefined for any other URL. */
  readonly webhook: string | undefined
  /** The JSON body; undefined when there is none. */
  readonly json: unknown
  /** The merchant reference in the payload or the query; that of a batch in its callback. */
  readonly reference: string | undefined
  readonly reply: ReceiverReply
}

/** A message before it is answered. */
export type Arrival = Omit<Message, 'reply'>

interface ReceiverOptions {
  /** 0 picks one. */
  readonly port?: number
  readonly decide?: Decide
  /** Whose clock dates the messages; absent: this machine's. */
  readonly own?: OwnGateway | undefined
}

/** Chooses the answer. */
type Decide = (arrival: Arrival) => ReceiverReply | Promise<ReceiverReply>

export interface Receiver extends ListeningServer {
  /** All answered messages, in that order. */
  readonly messages: readonly Message[]
  messagesOf(reference: string): readonly Message[]
  /** Answers otherwise from now on. */
  answers(decide: Decide): void
}

/** A merchant's server: it records everything, and answers 200 unless `decide` chooses otherwise. */
export async function startReceiver({
  port = 0,
  decide: decideAtFirst = () => OK,
  own,
}: ReceiverOptions): Promise<Receiver> {
  let decide = decideAtFirst
  const messages: Message[] = []
  const byReference = new Map<string, Message[]>()

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => undefined)
    if (!body) return // aborted half-way: it was no request
    const arrival = arrivalOf(incoming, body, own?.now() ?? new Date())
    const reply = await decide(arrival)
    const { reference } = arrival
    const message: Message = { ...arrival, reply }
    messages.push(message)
    if (reference !== undefined) byReference.set(reference, [...(byReference.get(reference) ?? []), message])
    play(reply, outgoing)
  }
  const server = createServer((incoming, outgoing) => void take(incoming, outgoing))
  // Connections end where a reply says so, and never at random while the next message arrives.
  server.keepAliveTimeout = 0
  const listening = await listen(server, port)
  return {
    ...listening,
    messages,
    messagesOf: (reference) => byReference.get(reference) ?? [],
    answers: (next) => {
      decide = next
    },
  }
}

/** Webhooks by the paths to which the server sends them. */
const WEBHOOK_AT = new Map<string, string>(Object.entries(WEBHOOK_PATHS).map(([webhook, path]) => [path, webhook]))

function arrivalOf(
  { url: path = '/', method = '', headersDistinct: headers }: IncomingMessage,
  body: Buffer,
  at: Date,
): Arrival {
  const [pathname = '', query] = path.split('?', 2)
  const json = jsonOf(body)
  const reference = new URLSearchParams(query).get('reference') ?? referenceIn(json)
  return { at, method, path, headers, body, webhook: WEBHOOK_AT.get(pathname), json, reference }
}

function referenceIn(json: unknown): string | undefined {
  const { merchant_reference, batch_reference: reference = merchant_reference } = fieldsOf(fieldsOf(json).payload)
  return typeof reference === 'string' ? reference : undefined
}
