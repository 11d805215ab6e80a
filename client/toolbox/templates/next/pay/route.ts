import { startPayment } from '../../shop/check-out.ts'
import { shopParts } from '../parts.ts'
import { readBody } from '../read-body.ts'

const FORM_MAX_BYTES = 16 * 1024

/** The step from the order form to Malipo's payment page. */
export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, FORM_MAX_BYTES)
  if (!body) return new Response(null, { status: 413 })
  const form = new URLSearchParams(new TextDecoder().decode(body))
  const [provider, phone] = [form.get('provider') ?? '', form.get('phone') ?? '']
  const { malipo, orders, settings } = shopParts()
  const started = await startPayment(
    { malipo, orders, redirectUrl: new URL('/paid', settings.shopUrl).href },
    provider,
    phone,
  )
  const next =
    'paymentUrl' in started
      ? started.paymentUrl
      : new URL(`/?${new URLSearchParams({ ...started, provider, phone })}`, settings.shopUrl).href
  return new Response(null, { status: 303, headers: { location: next } })
}
