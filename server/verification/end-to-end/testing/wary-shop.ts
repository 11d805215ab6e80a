import { startSite } from '../../../payment-page/testing/test-browser.ts'
import { DEMO_MERCHANT } from '../../testing/gateway.ts'
import { verdictsOnQuery, type Verdicts } from '../../testing/signatures.ts'

/** The query as an RFC 3986 parser reads it: percent-encoding only, `+` is a plus. */
export const rfc3986Query = (url: string): Record<string, string> =>
  Object.fromEntries(
    (/\?([^#]*)/.exec(url)?.[1] ?? '')
      .split('&')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
  )

/** In milliseconds, as in the HMAC's header. */
export const signedAt = ({ hmac_signature = '' }: Readonly<Record<string, string>>): number =>
  Number(/^t=(\d+),/.exec(hmac_signature)?.[1])

interface WaryShop {
  readonly url: string
  verdictsOf(query: Readonly<Record<string, string>>): Verdicts
  close(): void
}

/**
 * The shop that a customer returns to: it says "Order COMPLETED" when both signatures are valid, and otherwise that it
 * does not believe it.
 */
export async function startWaryShop(gatewayUrl: string): Promise<WaryShop> {
  const publicPem = await (await fetch(`${gatewayUrl}/.well-known/malipo-rsa.pem`)).text()
  const verdictsOf = (query: Readonly<Record<string, string>>): Verdicts =>
    verdictsOnQuery(query, DEMO_MERCHANT.keys.signingKey, publicPem)
  const site = await startSite((request, response) => {
    const query = rfc3986Query(request.url ?? '')
    const { hmac, rsa } = verdictsOf(query)
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><title>Shop</title><h1>${hmac && rsa ? `Order ${query.transaction_status}` : 'Not believed'}</h1>`,
      )
  })
  return { ...site, verdictsOf }
}
