import type { WireRequest } from './proxy.ts'

/** Pages of other sites, one after the other: a shop, a program on the customer's machine, a frame without an origin. */
const ORIGINS = ['https://shop.example', 'http://localhost:3000', 'null', 'http://127.0.0.1:5173']
/** One request in so many. */
const EVERY = 5
/** Forms of these pages are refused when they come from another site. */
const WITH_FORMS = /^\/+(?:pay|sandbox)\b/i

/**
 * Adds `Origin` to every fifth request that has none, as a browser's script would send it: no reply may let a page of
 * another site read it, and what a server does for browsers alone is recorded too.
 */
export function withOrigin(): (request: WireRequest) => WireRequest {
  let count = 0
  return (request) => {
    if (request.headers.origin || WITH_FORMS.test(request.path)) return request
    count += 1
    if (count % EVERY !== 0) return request
    const origin = ORIGINS[(count / EVERY) % ORIGINS.length] ?? ''
    return { ...request, headers: { ...request.headers, origin: [origin] } }
  }
}
