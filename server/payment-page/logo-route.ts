import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../domain/logo.ts'

/** By its digest. Rejects with StorageUnavailable. */
export type FindLogo = (digest: string) => Promise<Pick<Logo, 'mediaType' | 'bytes'> | undefined>

export const LOGO_ROUTE = '/pay/logo/:digest'
export const logoPath = (digest: string): string => `/pay/logo/${encodeURIComponent(digest)}`

const DIGEST = /^[0-9a-f]{32}$/

type Asking = FastifyRequest<{ Params: { digest?: string } }>
type Answer = (request: Asking, reply: FastifyReply) => Promise<FastifyReply>

/** The address changes with the picture: browsers may keep it for ever, and need nothing else to show it. */
export const answerLogo =
  (find: FindLogo, unknown: Answer): Answer =>
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
