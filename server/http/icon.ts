/** The address that pages link to. */
const ICON_PATH = '/favicon.svg'
/** The addresses that browsers request by default, for a page or file that links no icon. */
export const ICON_PATHS = [ICON_PATH, '/favicon.ico'] as const

/** The icon of a browser tab. Its colours are attributes, so no policy has to allow a style for it. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57a4"/><path d="M8 23V10l8 9 8-9v13" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>'

/** The link in the head of a page. */
export const ICON_LINK = `<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">`

export const ICON_HEADERS = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=86400',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const
