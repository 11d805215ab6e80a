import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../domain/logo.ts'

/** Looks up a logo by its digest. Rejects with StorageUnavailable. */
export type FindLogo = (digest: string) => Promise<Pick<Logo, 'mediaType' | 'bytes'> | undefined>

export const LOGO_ROUTE = '/pay/logo/:digest'
export const logoPath = (digest: string): string => `/pay/logo/${encodeURIComponent(digest)}`

const DIGEST = /^[0-9a-f]{32}$/

type LogoRequest = FastifyRequest<{ Params: { digest?: string } }>
type LogoHandler = (request: LogoRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The address changes with the image: browsers may cache it for ever. Showing it needs no other resource. */
export const answerLogo =
  (find: FindLogo, unknown: LogoHandler): LogoHandler =>
  async (request, reply) => {
    const { digest = '' } = request.params
    const logo = DIGEST.test(digest) ? await find(digest) : undefined
    if (!logo) return unknown(request, reply)
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'content-disposition': 'inline',
      })
      .type(logo.mediaType)
      .send(Buffer.from(logo.bytes))
  }
