import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { speechFor } from './languages.ts'
import type { RenderedPage } from './layout.ts'
import { problemPage, statusOf, type ProblemName } from './problems.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export interface PageHosts {
  readonly paymentPageBaseUrl?: string | undefined
  readonly publicBaseUrl?: string | undefined
}

/** Replies at an unknown address that belongs to the payment page; undefined: it belongs to the API. */
type PathRefusal = (
  request: FastifyRequest,
  reply: FastifyReply,
  how: 'unknown' | 'malformed',
) => FastifyReply | undefined

/**
 * `/Pay/…`, `//pay/…`, `/pay%2F…` and `/pay.` match too: people type links, and forwarding mangles them.
 * `/payout` does not.
 */
const PAGE_PATH = /^\/+pay(?![\w-])/i

/**
 * Whether the address belongs to the payment page: under /pay, or anything on a host that only serves the payment
 * page.
 */
function pageAddresses({ paymentPageBaseUrl, publicBaseUrl }: PageHosts): (url: string, host: string) => boolean {
  const [pageHost, apiHost] = [paymentPageBaseUrl, publicBaseUrl].map((url) => url && URL.parse(url)?.host)
  const isPagesAlone = (host: string): boolean => apiHost !== undefined && host === pageHost && host !== apiHost
  return (url, host) => PAGE_PATH.test(url) || isPagesAlone(host)
}

/** People open truncated links: they get a page. */
export function lostPages(hosts: PageHosts): PathRefusal {
  const isPages = pageAddresses(hosts)
  return (request, reply, how) => {
    if (!isPages(request.raw.url ?? '', request.host)) return undefined
    const { headers, html } = lostPage(how, request.headers)
    return reply.code(statusOf(how)).headers(headers).send(html)
  }
}

/** A longer address is not one of our links; a shorter one may be right, and the rest of the request is at fault. */
const ADDRESS_MAX_CHARACTERS = 1_000

/**
 * The same for what Node's parser rejects: a link of 16 kB, an invalid method, too many cookies. Only its first packet
 * is known.
 */
export function unreadablePages(hosts: PageHosts): (packet: Buffer) => ReturnType<typeof lostPage> | undefined {
  const isPages = pageAddresses(hosts)
  return (packet) => {
    const text = packet.toString('latin1')
    const address = /^\S+ (?:https?:\/\/[^/?# ]*)?(\S*)/i.exec(text)?.[1] ?? ''
    if (!isPages(address, headerIn(text, 'host'))) return undefined
    const headers = { 'accept-language': headerIn(text, 'accept-language'), cookie: headerIn(text, 'cookie') }
    return lostPage(address.length > ADDRESS_MAX_CHARACTERS ? 'unknown' : 'incomplete', headers)
  }
}

const headerIn = (text: string, name: string): string =>
  new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]*)`, 'i').exec(text)?.[1] ?? ''

function lostPage(
  how: ProblemName,
  requested: IncomingHttpHeaders,
): { headers: Record<string, string>; html: RenderedPage['html'] } {
  const speech = speechFor(undefined, requested)
  const { html, policy } = problemPage(how, speech)
  return {
    headers: {
      ...SECURITY_HEADERS,
      'content-security-policy': policy,
      'content-type': 'text/html; charset=utf-8',
      'content-language': speech.language,
    },
    html,
  }
}
