import { passOn, wireRequest, type WireReply } from '../../../harness/proxy.ts'

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
