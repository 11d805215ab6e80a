import type { WireHeaders } from '../../harness/proxy.ts'

/**
 * How long a cache may serve it without revalidation (RFC 9111, section 4.2.1).
 * @param mustSay whether a cache depends on `Cache-Control`, and keeps the key for ever without it
 */
export function cachedSeconds(headers: WireHeaders, mustSay: boolean): number {
  const text = headers['cache-control']?.join(', ').toLowerCase()
  if (text === undefined) return mustSay ? Infinity : 0
  if (/\b(?:no-store|no-cache)\b/.test(text)) return 0
  const ages = [...text.matchAll(/\b(?:s-maxage|max-age|stale-[a-z-]+)="?(\d+)/g)].map(([, seconds]) => Number(seconds))
  return /\bimmutable\b/.test(text) || ages.length === 0 ? Infinity : Math.max(...ages)
}
