import { forFile } from '../../../server/verification/testing/for-file.ts'
import { startProxy, type Proxy, type ProxyOptions } from '../proxy.ts'

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>

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
