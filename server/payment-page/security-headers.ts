import { createHash } from 'node:crypto'

interface Needs {
  /** The one inline style of the page, verbatim. */
  readonly style?: string
  /** The style is a file of ours. */
  readonly hasStyleFile?: boolean
  readonly hasScript?: boolean
}

const digests = new Map<string, string>()
/** The cache limit for merchants with their own colours; all others share one style. */
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
 * Allows nothing from other origins, no inline script, no framing, and of our own resources only what the page needs.
 * `form-action 'self'` applies along redirects too: Chromium blocks a form whose reply leads to the merchant's site,
 * even through one of our pages. So no form does (see `leave` in payment-page.ts).
 */
export const pagePolicy = ({ style, hasStyleFile = false, hasScript = false }: Needs): string =>
  [
    "default-src 'none'",
    // Every page has the icon, and some have a logo.
    ...(style === undefined ? [] : [`style-src 'sha256-${digestOf(style)}'`, "img-src 'self'"]),
    ...(hasStyleFile ? ["style-src 'self'", "img-src 'self'"] : []),
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

/** Where customers use https: their browsers return by https only, for a year. */
export const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' } as const
