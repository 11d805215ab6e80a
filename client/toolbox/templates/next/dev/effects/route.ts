import { readAnnouncement } from '../../../shop/announcement.ts'
import { shopParts } from '../../parts.ts'

// For `malipo-dev check`. In development only: it lets anybody create orders.
const NOT_FOUND = { status: 404 } as const

/** How often each order was fulfilled. */
export async function GET(): Promise<Response> {
  const { orders, settings } = shopParts()
  return settings.isDevelopment ? Response.json(orders.fulfilments()) : new Response(null, NOT_FOUND)
}

/** Creates an order for an expected payment, or a payout that the handshake will look up. */
export async function POST(request: Request): Promise<Response> {
  const { orders, settings } = shopParts()
  if (!settings.isDevelopment) return new Response(null, NOT_FOUND)
  const announced = readAnnouncement(await request.json().catch(() => undefined))
  if (!announced) return new Response(null, { status: 400 })
  if (announced.type === 'PAYOUT') orders.addPayout(announced.reference)
  else orders.add(announced)
  return new Response(null, { status: 204 })
}
