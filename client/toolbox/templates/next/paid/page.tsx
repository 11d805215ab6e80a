import { notFound } from 'next/navigation'
import { orderOfRedirect } from '../../shop/come-back.ts'
import { shopParts } from '../parts.ts'

export const dynamic = 'force-dynamic'

type Query = Readonly<Record<string, string | string[] | undefined>>

/** Where customers come back to. It shows what our own records say, never what the address says. */
export default async function PaidPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { malipo, orders, settings } = shopParts()
  const query = Object.entries(await searchParams).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => [name, text]),
  )
  const order = await orderOfRedirect(`/paid?${new URLSearchParams(query)}`, {
    malipo,
    orders,
    signingKey: settings.signingKey,
  })
  if (!order) notFound()
  return (
    <div className="card">
      {order.state === 'waiting' && <meta httpEquiv="refresh" content="3" />}
      {order.state === 'paid' && (
        <>
          <h1>Thank you, your coffee is on its way</h1>
          <p>Order {order.reference} is paid.</p>
        </>
      )}
      {order.state === 'failed' && (
        <>
          <h1>The payment did not go through</h1>
          <p>Order {order.reference} was not paid, and nothing was taken.</p>
        </>
      )}
      {order.state === 'waiting' && (
        <>
          <h1>One moment, please</h1>
          <p role="status">
            We are waiting for the confirmation of order {order.reference}. This page looks again every three seconds.
          </p>
        </>
      )}
      <p>
        <a href="/">Back to the shop</a>
      </p>
    </div>
  )
}
