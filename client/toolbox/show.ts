import type { OutgoingRequest, ReplyOutcome } from './exchange.ts'
import { printable } from './paint.ts'
import type { Terminal } from './terminal.ts'

/** Shows the request as sent. */
export function showRequest({ method, url, headers, body }: OutgoingRequest, { print, paint }: Terminal): void {
  print(paint.strong(`${method} ${url.href}`))
  for (const [name, value] of Object.entries(headers)) print(paint.soft(`  ${name}: ${printable(value, 100)}`))
  if (body !== undefined && body.length > 0) print(`  ${printable(Buffer.from(body).toString('utf8'), 2_000)}`)
}

/** Shows the reply, in one line or two. */
export function showReply(reply: ReplyOutcome, { print, paint }: Terminal): void {
  if (reply.kind !== 'answered') {
    print(paint.bad(`  ← ${reply.why} (${reply.durationMs} ms)`))
    return
  }
  print(`  ← ${paint.status(reply.status)} in ${reply.durationMs} ms`)
  if (reply.body !== '') print(paint.soft(`    ${printable(reply.body, 400)}`))
}

/** Whether Malipo would count it as acknowledged. */
export const isAcknowledged = (reply: ReplyOutcome): boolean =>
  reply.kind === 'answered' && reply.status >= 200 && reply.status < 300
