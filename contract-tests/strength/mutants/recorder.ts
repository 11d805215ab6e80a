import { jsonOf } from '../../../openapi/reading/wire.ts'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import { curlLine } from '../../harness/curl.ts'
import { fieldsOf } from '../../harness/json.ts'
import { passOn, startProxy, wireRequest, type Exchange, type Proxy, type WireHeaders } from '../../harness/proxy.ts'
import type { Body, RecordedExchange } from './corpus.ts'

/** Whose requests are shown to people, and at which address. */
const SHOWN = { url: 'http://$GATEWAY', publicKey: DEMO_KEYS['public-key'], secretKey: DEMO_KEYS['secret-key'] }

/** Records every exchange that passes one of its proxies. */
export interface Recorder {
  /** In front of the gateway: one request at a time, so that the scenario can name its operation. */
  send(operationId: string | undefined, request: RecorderRequest): Promise<RecorderReply>
  /** In front of a merchant: the path identifies the operation. */
  merchant(to: string, operationOf: (path: string) => string | undefined): Promise<Proxy>
  close(): Promise<void>
}

export interface RecorderRequest {
  readonly method: string
  /** With the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Undefined: none; a text is sent unchanged, anything else as JSON. */
  readonly body?: unknown
}

export interface RecorderReply {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
}

/** @param exchanges the list to append to: recorders in front of several gateways may share it */
export async function startRecorder(gatewayUrl: string, exchanges: RecordedExchange[]): Promise<Recorder> {
  const values = new Map<string, Body>()
  let requested: string | undefined
  const gateway = await startProxy({
    to: gatewayUrl,
    onExchange: (exchange) => exchanges.push(recorded(exchange, 'gateway', requested, values)),
  })
  const proxies = [gateway]
  return {
    // Not fetch: it adds an Accept-Language of its own, and some requests omit headers on purpose.
    async send(operationId, { method, path, headers, body }) {
      requested = operationId
      const reply = await passOn(new URL(gateway.url), wireRequest(method, path, headers, body))
      return { status: reply.status, data: fieldsOf(fieldsOf(jsonOf(reply.body)).data) }
    },
    async merchant(to, operationOf) {
      const proxy = await startProxy({
        to,
        onExchange: (exchange) =>
          exchanges.push(recorded(exchange, 'merchant', operationOf(pathOf(exchange.request.path)), values)),
      })
      proxies.push(proxy)
      return proxy
    },
    close: async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))),
  }
}

/** Path of a target without its query. */
export const pathOf = (target: string): string => target.replace(/\?.*/s, '')

function recorded(
  { request: requested, reply }: Exchange,
  answeredBy: RecordedExchange['answeredBy'],
  operationId: string | undefined,
  values: Map<string, Body>,
): RecordedExchange {
  const [path, search = ''] = requested.path.split(/\?(.*)/s) as [string, string?]
  const query = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) query.set(name, [...(query.get(name) ?? []), value])
  return {
    ...(operationId !== undefined && { operationId }),
    answeredBy,
    method: requested.method,
    path,
    query,
    status: reply.status,
    requestHeaders: flat(requested.headers),
    requestBody: bodyOf(requested.headers, requested.body, values),
    replyHeaders: flat(reply.headers),
    replyBody: bodyOf(reply.headers, reply.body, values),
    curl: curlLine(SHOWN, requested),
  }
}

const flat = (headers: WireHeaders): Map<string, string> =>
  new Map(Object.entries(headers).map(([name, lines]) => [name, (lines ?? []).join(', ')]))

function bodyOf(headers: WireHeaders, bytes: Buffer, values: Map<string, Body>): Body {
  const mediaType = headers['content-type']?.[0]?.split(';', 1)[0]?.trim().toLowerCase()
  const text = bytes.toString('utf8')
  const key = `${mediaType} ${text}`
  const known = values.get(key)
  if (known) return known
  const body: Body = { mediaType, isEmpty: bytes.length === 0, value: jsonOf(bytes) }
  values.set(key, body)
  return body
}
