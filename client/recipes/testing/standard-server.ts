import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/**
 * Serves a handler of standard requests over HTTP, as frameworks do that use such handlers. Replies 500 when it
 * throws.
 */
export const standardServer = (handle: (request: Request) => Promise<Response>): Server =>
  createServer((incoming, outgoing) => void answer(handle, incoming, outgoing).catch(() => outgoing.destroy()))

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  const lines = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map((text) => [name, text]),
  )
  const request = new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: lines,
    ...(method === 'POST' && { body: bodyOf(incoming), duplex: 'half' }),
  })
  const response = await handle(request).catch(() => new Response(null, { status: 500 }))
  outgoing
    .writeHead(response.status, Object.fromEntries(response.headers))
    .end(Buffer.from(await response.arrayBuffer()))
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => controller.enqueue(chunk))
      incoming.on('end', () => controller.close())
      incoming.on('error', (error) => controller.error(error))
    },
  })
}
