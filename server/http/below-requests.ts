import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { endSoon, closed, rawReply, rawText } from './connections.ts'
import { ENVELOPE_HEADERS, failure, type Reply } from './envelope.ts'

/** Replies with the envelope to what Node reports outside of normal requests. */
export function answerBesideRequests({ server }: FastifyInstance, lingerMs: number): void {
  server.on('checkExpectation', (_request, response: ServerResponse) =>
    endWith(response, failure(417, 'Only Expect: 100-continue is understood')),
  )
  const noTunnel = rawReply(405, 'Method Not Allowed', 'CONNECT is not allowed here', 'allow: GET, HEAD, POST\r\n')
  server.on('connect', (_request, socket: Socket) => endSoon(socket, noTunnel, lingerMs))
}

/**
 * Replies with the envelope to bytes that Node's parser rejects, and closes the connection. Complete requests before
 * them on the same connection get their replies first: a client that gets 400 for an accepted payment would believe
 * that nothing happened.
 */
export async function answerUnreadableRequest(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  pending: readonly ServerResponse[],
  unreadable: MalformedRequestReply,
  lingerMs: number,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, text, message] = UNREADABLE[error.code ?? ''] ?? [400, 'Bad Request', 'The request is not valid HTTP']
  // Behind other requests the packet may begin with one of those.
  const page = pending.length === 0 && Buffer.isBuffer(error.rawPacket) ? unreadable(error.rawPacket) : undefined
  await closed(pending.filter(({ req }) => req.complete))
  if (!socket.writable) return
  const bytes = page ? rawText(`${status} ${text}`, page.headers, page.html) : rawReply(status, text, message)
  endSoon(socket, bytes, lingerMs)
}

/** A page for a malformed request, chosen by its first packet; undefined: it gets the envelope like all others. */
export type MalformedRequestReply = (
  packet: Buffer,
) => { readonly headers: Readonly<Record<string, string>>; readonly html: string } | undefined

function endWith(response: ServerResponse, { status, body }: Reply): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { ...ENVELOPE_HEADERS, 'content-length': Buffer.byteLength(text), connection: 'close' })
    .end(text)
}

const UNREADABLE: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time'],
}
