import type { FastifyReply, FastifyRequest } from 'fastify'
import { speechFor } from './languages.ts'
import { problemPage, statusOf } from './problems.ts'
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

/** Addresses under /pay, and all of a host that is the payment page's alone: people come there, with a link cut short. */
export function lostPages({ paymentPageBaseUrl, publicBaseUrl }: PageHosts): Lost {
  const [pageHost, apiHost] = [paymentPageBaseUrl, publicBaseUrl].map((url) => url && URL.parse(url)?.host)
  const isPagesAlone = (host: string): boolean => apiHost !== undefined && host === pageHost && host !== apiHost
  return (request, reply, how) => {
    if (!/^\/pay(?:[/?]|$)/.test(request.raw.url ?? '') && !isPagesAlone(request.host)) return undefined
    const { html, policy } = problemPage(how, speechFor(undefined, request.headers))
    return reply
      .code(statusOf(how))
      .headers({ ...SECURITY_HEADERS, 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(html)
  }
}
