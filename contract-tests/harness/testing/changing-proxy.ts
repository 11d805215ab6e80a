import { forFile } from '../../../server/verification/testing/for-file.ts'
import { startProxy, type Proxy, type ProxyOptions, type WireReply, type WireRequest } from '../proxy.ts'

export type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>

/**
 * A proxy for all tests of a file whose hooks each test can replace.
 * @param hooks read for each message; undefined: it passes everything on
 */
export const changingProxyTest = (
  to: string,
  hooks: () => Hooks | undefined,
  more: Pick<ProxyOptions, 'onExchange'> = {},
): Promise<Proxy> =>
  forFile(
    startProxy({
      to,
      onRequest: (request) => hooks()?.onRequest?.(request) ?? request,
      onReply: (reply, request) => hooks()?.onReply?.(reply, request) ?? reply,
      ...more,
    }),
  )

/** Changes replies of one status to the paths that match. */
export const replies = (
  path: RegExp,
  status: number,
  change: (reply: WireReply, request: WireRequest) => WireReply | Promise<WireReply>,
): Hooks => ({
  onReply: (reply, request) => (path.test(request.path) && reply.status === status ? change(reply, request) : reply),
})

/** `undefined` removes the header. */
export function withHeader<Message extends WireReply | WireRequest>(
  message: Message,
  name: string,
  value: string | undefined,
): Message {
  const { [name]: _, ...headers } = message.headers
  return { ...message, headers: value === undefined ? headers : { ...headers, [name]: [value] } }
}

/** The message with another body. @param change of its text */
export function withText<Message extends WireReply | WireRequest>(
  message: Message,
  change: (text: string) => string,
): Message {
  const body = Buffer.from(change(message.body.toString()))
  return withHeader({ ...message, body }, 'content-length', String(body.length))
}
