import fastify, { type FastifyInstance } from 'fastify'
import { SECURITY_HEADERS } from '../../../../payment-page/security-headers.ts'
import { serveConsoleAssets } from '../assets.ts'
import { languageFor } from '../languages.ts'
import { gallery, GALLERY_PAGES } from './gallery.ts'

/** Serves the gallery as the console serves its pages. */
export function galleryApp(): FastifyInstance {
  const app = fastify()
  serveConsoleAssets(app)
  for (const name of GALLERY_PAGES)
    app.get(`/${name}`, async (request, reply) => {
      const query = new URLSearchParams(request.url.split('?')[1])
      const { html, policy } = gallery(name, languageFor(request.query, request.headers), query)
      return reply
        .headers({ ...SECURITY_HEADERS, 'content-security-policy': policy })
        .type('text/html; charset=utf-8')
        .send(html)
    })
  return app
}
