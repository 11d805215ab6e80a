import { passOn, wireRequest } from '../../harness/proxy.ts'
import type { Target } from '../../harness/part.ts'

/**
 * What a server has beside the contract. The rules judge what comes; some servers have none of it. Without the docs
 * themselves: a clone that has not built them answers 503.
 */
const PUBLIC_PAGES = [
  '/',
  '/docs/no-such-page',
  '/openapi.json',
  '/favicon.svg',
  '/health/live',
  '/health/ready',
  '/pay/collection/MLP0000000000000000000000',
] as const

/** Requests pages and files as a browser does, from its own site and from another one. @returns the number of requests */
export async function requestPublicPages({ url }: Target): Promise<number> {
  const origins = [undefined, 'https://shop.example', 'null']
  for (const path of PUBLIC_PAGES)
    for (const origin of origins)
      await passOn(new URL(url), wireRequest('GET', path, { accept: 'text/html,*/*', origin }))
  return PUBLIC_PAGES.length * origins.length
}
