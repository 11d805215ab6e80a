import { createHash } from 'node:crypto'

export interface Needs {
  /** The one style of the page, as it stands in it. */
  readonly style?: string
  readonly hasScript?: boolean
}

const digests = new Map<string, string>()
/** Merchants with colours of their own that are kept; there is one style without. */
const DIGESTS_MAX = 1_000

function digestOf(style: string): string {
  const known = digests.get(style)
  if (known !== undefined) return known
  if (digests.size >= DIGESTS_MAX) digests.clear()
  const digest = createHash('sha256').update(style).digest('base64')
  digests.set(style, digest)
  return digest
}

/**
 * Nothing from elsewhere, no inline script, nobody frames it, and of our own only what the page needs. `form-action
 * 'self'` holds along redirects too: Chromium stops a form whose answer leads to the merchant's site, even over a page
 * of ours. So no form does (see `leave` in payment-page.ts).
 */
export const pagePolicy = ({ style, hasScript = false }: Needs): string =>
  [
    "default-src 'none'",
    // Every page has the icon, and some a logo.
    ...(style === undefined ? [] : [`style-src 'sha256-${digestOf(style)}'`, "img-src 'self'"]),
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** On every reply under /pay, redirects and refusals included. */
export const SECURITY_HEADERS = {
  'content-security-policy': pagePolicy({}),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const

/** Where customers reach the page by https: their browsers come back that way only, for a year. */
export const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' } as const
