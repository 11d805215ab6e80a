// Next route handlers, in three files. They take the standard Request, so they run in every framework that does.
import { createDuplicateGuard, handshakes, redirects, webhooks, WebhookVerificationError } from '@malipo/client'
import { shop } from './shop.ts'

const guard = createDuplicateGuard()

/** app/callbacks/route.ts: export it as `POST`. */
export const callbacks = believed(async (request) => {
  const callback = await webhooks.verify(await request.text(), request.headers, shop.webhookSecret)
  await guard.once(callback, shop.book)
  return new Response(null, { status: 204 })
})

/** app/handshake/route.ts: export it as `GET`. */
export const handshake = believed(async (request) => {
  const { merchantReference } = await handshakes.verify(request.url, request.headers, shop.webhookSecret)
  return new Response(null, { status: (await shop.hasPayout(merchantReference)) ? 200 : 404 })
})

/** app/paid/route.ts: export it as `GET`. */
export const paid = believed(async (request) => {
  const { transaction_status } = await redirects.verify(request.url, { signingKeys: shop.signingKey })
  return new Response(transaction_status === 'COMPLETED' ? 'Thank you!' : 'The payment did not go through.')
})

/** Next replies 500 when a handler throws; a message that does not verify gets 400, an unknown event 204. */
function believed(handle: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    try {
      return await handle(request)
    } catch (error) {
      if (!(error instanceof WebhookVerificationError) || error.reason === 'wrong_secret_format') throw error
      if (error.reason === 'unknown_event') return new Response(null, { status: 204 })
      return new Response(error.reason, { status: 400 })
    }
  }
}
