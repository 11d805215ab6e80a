import type { Target } from '../../../harness/part.ts'
import { passOn, wireRequest, type WireReply } from '../../../harness/proxy.ts'
import type { ApiReply } from '../../limits/requests.ts'

/** The address of a collection's payment page; undefined when the reply has none. */
export function pageAddress({ own, url: api }: Target, { data }: ApiReply): string | undefined {
  const url = URL.parse(String(data.payment_url))
  // Our own gateway is reached through the target's address, where everything is recorded.
  if (!url) return undefined
  return own ? api + url.pathname : url.href
}

/** A request to a page as a browser sends it. @returns undefined when no reply came */
export function visitPage(
  address: string | URL,
  {
    method = 'GET',
    headers = {},
    body,
  }: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  } = {},
): Promise<WireReply | undefined> {
  const url = new URL(address)
  return passOn(new URL(url.origin), wireRequest(method, `${url.pathname}${url.search}`, headers, body)).catch(
    () => undefined,
  )
}
