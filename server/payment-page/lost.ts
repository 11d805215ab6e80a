import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { speechFor } from './languages.ts'
import type { Made } from './layout.ts'
import { problemPage, statusOf, type ProblemName } from './problems.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export interface PageHosts {
  readonly paymentPageBaseUrl?: string | undefined
  readonly publicBaseUrl?: string | undefined
}

/** Answers an address that leads nowhere, when it is one that customers come to; undefined: it is the API's. */
export type Lost = (
  request: FastifyRequest,
  reply: FastifyReply,
  how: 'unknown' | 'malformed',
) => FastifyReply | undefined

/** `/Pay/…`, `//pay/…`, `/pay%2F…` and `/pay.` too: links are typed, and mangled by what sends them on. Not `/payout`. */
const PAGE_PATH = /^\/+pay(?![\w-])/i

/** Whether customers come to this address: under /pay, and all of a host that is the payment page's alone. */
function pageAddresses({ paymentPageBaseUrl, publicBaseUrl }: PageHosts): (url: string, host: string) => boolean {
  const [pageHost, apiHost] = [paymentPageBaseUrl, publicBaseUrl].map((url) => url && URL.parse(url)?.host)
  const isPagesAlone = (host: string): boolean => apiHost !== undefined && host === pageHost && host !== apiHost
  return (url, host) => PAGE_PATH.test(url) || isPagesAlone(host)
}

/** People come with a link cut short: they are answered with a page. */
export function lostPages(hosts: PageHosts): Lost {
  const isPages = pageAddresses(hosts)
  return (request, reply, how) => {
    if (!isPages(request.raw.url ?? '', request.host)) return undefined
    const { headers, html } = lostPage(how, request.headers)
    return reply.code(statusOf(how)).headers(headers).send(html)
  }
}

/** A longer address is no link of ours; a shorter one may be right, and what came with it is at fault. */
const ADDRESS_MAX_CHARACTERS = 1_000

/**
 * The same for what Node's parser refuses: a link of 16 kB, a method that is none, cookies that are too many. Nothing
 * is known of it but its first packet.
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
  asked: IncomingHttpHeaders,
): { headers: Record<string, string>; html: Made['html'] } {
  const speech = speechFor(undefined, asked)
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
