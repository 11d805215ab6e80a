import { carryOut } from '../../../shop/development.ts'
import { shopParts } from '../../parts.ts'

// For `malipo-dev check` and `certify`. In development only: it lets anybody create orders.
const NOT_FOUND = { status: 404 } as const

/** How often each order was fulfilled. */
export async function GET(): Promise<Response> {
  const { orders, settings } = shopParts()
  return settings.isDevelopment ? Response.json(orders.fulfilments()) : new Response(null, NOT_FOUND)
}

/** Creates an order for an expected payment, starts one, or reads the missed events. */
export async function POST(request: Request): Promise<Response> {
  const { malipo, orders, settings } = shopParts()
  if (!settings.isDevelopment) return new Response(null, NOT_FOUND)
  const understood = await carryOut(await request.json().catch(() => undefined), {
    malipo,
    orders,
    webhookSecret: settings.webhookSecret,
    redirectUrl: new URL('/paid', settings.shopUrl).href,
  })
  return new Response(null, { status: understood ? 204 : 400 })
}
