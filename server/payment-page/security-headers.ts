import { createHash } from 'node:crypto'
import { STYLE } from './style.ts'

/**
 * Nothing from elsewhere, no inline script, nobody frames it. `form-action 'self'` holds along redirects too: Chromium
 * stops a form whose answer leads to the merchant's site, even over a page of ours. So no form does (see `leave` in
 * payment-page.ts).
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** On every reply under /pay, redirects and refusals included. */
export const SECURITY_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const

/** Where customers reach the page by https: their browsers come back that way only, for a year. */
export const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' } as const
