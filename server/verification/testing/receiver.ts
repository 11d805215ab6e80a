import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { present } from '../../domain/present.ts'
import { listening } from './listening.ts'

export interface ReceivedCallback {
  readonly method: string
  /** Including its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: { event: string; payload: Record<string, unknown> }
}

export interface Receiver {
  readonly url: string
  readonly received: ReceivedCallback[]
  /** The messages about a payment, by its merchant reference. */
  about(merchantReference: string): ReceivedCallback[]
  /** Sets the replies to the next requests, the last one for ever; a number is a status. */
  answer(...answers: ReceiverReply[]): void
  /** Forgets the messages received and the replies set: from now on it replies 200. */
  forget(): void
  close(): Promise<void>
}

export type ReceiverReply =
  | number
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang'
  | 'reset'
  /** 200 with a body that may repeat the request. */
  | ((request: ReceivedCallback) => string)

/** A merchant's server on a real port, which behaves as well or badly as a test requires. */
export async function startReceiver(): Promise<Receiver> {
  let answers: ReceiverReply[] = [200]
  const received: ReceivedCallback[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const callback: ReceivedCallback = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: body === '' ? { event: '', payload: {} } : (JSON.parse(body) as ReceivedCallback['json']),
    }
    received.push(callback)
    const answer = present(answers.length > 1 ? answers.shift() : answers[0], 'an answer')
    if (answer === 'hang') return
    if (answer === 'reset') return void request.socket.destroy()
    if (typeof answer === 'function') return void response.end(answer(callback))
    const { status, headers = {}, body: reply = '' } = typeof answer === 'number' ? { status: answer } : answer
    response.writeHead(status, headers).end(reply)
  }
  const { url, close } = await listening(createServer((request, response) => void receive(request, response)))
  return {
    url: `${url}/callbacks`,
    received,
    about: (reference) => received.filter(({ json }) => json.payload.merchant_reference === reference),
    answer: (...given) => {
      answers = given
    },
    forget: () => {
      received.length = 0
      answers = [200]
    },
    close,
  }
}
