import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { listening } from '../../server/verification/testing/listening.ts'

/** A request as received, with its body parsed if there was one. */
interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** How the server replies to one request. */
export type AnswerRequest = (response: ServerResponse, request: RecordedRequest) => void

/** A real HTTP server on loopback that records requests, replies as configured, and stops at the end of the test. */
export async function recordingServer(
  answer: AnswerRequest,
): Promise<{ readonly baseUrl: string; readonly requests: readonly RecordedRequest[] }> {
  const requests: RecordedRequest[] = []
  const record = async (
    { method = '', url = '', headers }: IncomingMessage,
    text: string,
    response: ServerResponse,
  ) => {
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const recorded = { method, url, headers, body }
    requests.push(recorded)
    answer(response, recorded)
  }
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => record(request, chunks.join(''), response))
  })
  const { url: baseUrl, close } = await listening(server)
  onTestFinished(close)
  return { baseUrl, requests }
}

/** Replies with a JSON body. */
export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): AnswerRequest =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body))

/** Replies with the data in the envelope of a success. */
export const success = (status: number, data: unknown): AnswerRequest =>
  json(status, { code: status, status: status === 200 ? 'success' : 'accepted', message: 'done', data })

/** Replies with the envelope of an error. */
export const refusal = (status: number, message: string, headers?: Readonly<Record<string, string>>): AnswerRequest =>
  json(status, { code: status, status: 'error', message, data: {} }, headers)
